// SPDX-License-Identifier: Apache-2.0

// The text of the page of relay_page.h before and behind its data.
#ifndef MILLRACE_TOOLS_COMMAND_THREE_STAR_NETWORK_RELAY_PAGE_TEXT_H_
#define MILLRACE_TOOLS_COMMAND_THREE_STAR_NETWORK_RELAY_PAGE_TEXT_H_

namespace millrace::tools {

// clang-format off
inline constexpr const char* kRelayPageHead = R"page(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:">
<title>Relays</title>
<style>
html, body { margin: 0; height: 100%; overflow: hidden; font: 14px/1.4 sans-serif; color: #000; background: #fff; }
canvas { position: absolute; inset: 0; width: 100%; height: 100%; touch-action: none; cursor: grab; }
.box { position: absolute; background: rgba(255, 255, 255, .88); border: 1px solid #bbb; border-radius: 4px; padding: 6px 10px; pointer-events: none; }
#legend { top: 10px; left: 10px; }
#legend i { display: inline-block; width: 10px; height: 10px; margin-right: 7px; border-radius: 5px; }
#keys { bottom: 10px; right: 10px; color: #555; font-size: 12px; }
#note { display: none; }
</style>
</head>
<body>
<canvas id="map" tabindex="0" aria-label="Map of points and relays"></canvas>
<div class="box" id="legend"></div>
<div class="box" id="keys">drag or arrows: move; wheel or + and -: scale; 0: all</div>
<div class="box" id="note"></div>
<noscript>This map is drawn by a script.</noscript>
<script>
'use strict';
const data = )page";

inline constexpr const char* kRelayPageScript = R"page(;
const words = text => {
  const bytes = Uint8Array.from(atob(text), c => c.charCodeAt(0));
  return new Uint32Array(bytes.buffer);
};
const positions = words(data.positions), links = words(data.links);
const nodes = positions.length / 2, unit = data.unit;
const X = i => positions[2 * i] * unit, Y = i => positions[2 * i + 1] * unit;
const starts = [0];
for (const count of data.counts) starts.push(starts[starts.length - 1] + count);
const kinds = [
  {name: 'points', colour: '#0072b2', letter: 's', size: 3},
  {name: 'relays of three', colour: '#009e73', letter: 'r', size: 4.5},
  {name: 'relays on the tree', colour: '#d55e00', letter: 'r', size: 3},
  {name: 'relays that existed', colour: '#cc79a7', letter: 'f', size: 4.5}];
const kindOf = i => { let k = 0; while (i >= starts[k + 1]) ++k; return k; };
const nameOf = i => {
  const k = kindOf(i);
  return kinds[k].letter + (k === 0 ? i : k === 3 ? data.fixed[i - starts[3]] : i - starts[1]);
};

// Degrees of a position in metres, and the inverse.
const R = 6371008.8, rad = Math.PI / 180, P = data.projection;
const isPlane = P.name === 'plane';
const inverse = (x, y) => {
  x += data.left; y += data.bottom;
  if (P.name === 'stereographic') {
    const u = 2 * R * P.scale, s = (x * x + y * y) / (u * u), a = (1 - s) / (1 + s), b = 2 / (1 + s);
    const east = b * x / u, north = b * y / u, la = P.latitude * rad;
    const z = a * Math.sin(la) + north * Math.cos(la), c = a * Math.cos(la) - north * Math.sin(la);
    return [Math.atan2(z, Math.hypot(c, east)) / rad, P.longitude + Math.atan2(east, c) / rad];
  }
  const lng = x / (R * P.cosine) / rad;
  if (P.name === 'mercator') return [Math.atan(Math.sinh(y / (R * P.cosine))) / rad, lng];
  return [y / R / rad, lng];
};
const forward = (lat, lng) => {
  let x, y;
  if (P.name === 'stereographic') {
    const la = lat * rad, d = (lng - P.longitude) * rad, l0 = P.latitude * rad;
    const up = Math.sin(la) * Math.sin(l0) + Math.cos(la) * Math.cos(l0) * Math.cos(d);
    const k = 2 * R * P.scale / (1 + up);
    x = k * Math.cos(la) * Math.sin(d);
    y = k * (Math.sin(la) * Math.cos(l0) - Math.cos(la) * Math.sin(l0) * Math.cos(d));
  } else {
    x = R * P.cosine * lng * rad;
    y = P.name === 'mercator' ? R * P.cosine * Math.asinh(Math.tan(lat * rad)) : R * lat * rad;
  }
  return [x - data.left, y - data.bottom];
};
const turned = lng => lng - 360 * Math.round(lng / 360);

const canvas = document.getElementById('map'), context = canvas.getContext('2d');
const note = document.getElementById('note');
let width = 1, height = 1, view = {x: 0, y: 0, scale: 1}, hovered = -1, isWaiting = false;
const toX = x => (x - view.x) * view.scale + width / 2;
const toY = y => height / 2 - (y - view.y) * view.scale;
const fromX = x => (x - width / 2) / view.scale + view.x;
const fromY = y => (height / 2 - y) / view.scale + view.y;

const roundDown = number => {
  const power = 10 ** Math.floor(Math.log10(number));
  return (number >= 5 * power ? 5 : number >= 2 * power ? 2 : 1) * power;
};
const degreeSteps = [90, 45, 30, 15, 10, 5, 2, 1, 30 / 60, 20 / 60, 10 / 60, 5 / 60, 2 / 60, 1 / 60,
                     30 / 3600, 10 / 3600, 5 / 3600, 2 / 3600, 1 / 3600, .1 / 3600, .01 / 3600];
const degrees = (value, step, letters) => {
  const letter = Math.abs(value) < 1e-9 || Math.abs(value) > 180 - 1e-9 ? '' : letters[value < 0 ? 1 : 0];
  const whole = Math.abs(value), digits = step >= 1 ? 0 : Math.min(7, Math.ceil(-Math.log10(step)) + 1);
  return whole.toFixed(digits) + '\u00b0' + letter;
};
const label = (text, x, y) => {
  context.strokeStyle = '#fff'; context.lineWidth = 3; context.strokeText(text, x, y);
  context.fillStyle = '#666'; context.fillText(text, x, y);
};

let lines = 0;
const drawPlaneGrid = () => {
  const step = roundDown(160 / view.scale), digits = Math.max(0, -Math.floor(Math.log10(step)));
  const left = fromX(0) + data.left, right = fromX(width) + data.left;
  const low = fromY(height) + data.bottom, high = fromY(0) + data.bottom;
  context.beginPath();
  const marks = [];
  for (let k = Math.ceil(left / step); k * step <= right; ++k, ++lines) {
    const x = toX(k * step - data.left);
    context.moveTo(x, 0); context.lineTo(x, height); marks.push([(k * step).toFixed(digits), x + 3, height - 4]);
  }
  for (let k = Math.ceil(low / step); k * step <= high; ++k, ++lines) {
    const y = toY(k * step - data.bottom);
    context.moveTo(0, y); context.lineTo(width, y); marks.push([(k * step).toFixed(digits), 4, y - 3]);
  }
  context.stroke();
  for (const mark of marks) label(...mark);
};
const drawGraticule = () => {
  let south = 90, north = -90, west = Infinity, east = -Infinity;
  const middle = inverse(view.x, view.y)[1];
  for (let i = 0; i <= 10; ++i) for (let j = 0; j <= 10; ++j) {
    const [lat, lng] = inverse(fromX(width * i / 10), fromY(height * j / 10));
    const near = P.name === 'stereographic' ? middle + turned(lng - middle) : lng;
    south = Math.min(south, lat); north = Math.max(north, lat);
    west = Math.min(west, near); east = Math.max(east, near);
  }
  if (P.name === 'stereographic') {  // A pole that is seen has all meridians.
    for (const pole of [90, -90]) {
      const [x, y] = forward(pole, 0);
      if (toX(x) < 0 || toX(x) > width || toY(y) < 0 || toY(y) > height) continue;
      west = middle - 180; east = middle + 180; south = Math.min(south, pole); north = Math.max(north, pole);
    }
  }
  const pixels = view.scale * R * rad, cosine = Math.max(.02, Math.cos((south + north) / 2 * rad));
  const stepFor = wanted => degreeSteps.findLast(step => step >= wanted) ?? 90;
  const latStep = stepFor(130 / pixels), lngStep = stepFor(130 / pixels / cosine);
  const curve = (at, from, to, point) => {
    for (let i = 0; i <= 24; ++i) {
      const [x, y] = point(at, from + (to - from) * i / 24);
      i ? context.lineTo(toX(x), toY(y)) : context.moveTo(toX(x), toY(y));
    }
    ++lines;
  };
  context.beginPath();
  const marks = [], low = Math.max(-89.9, south), high = Math.min(89.9, north);
  for (let k = Math.ceil(west / lngStep); k * lngStep <= east && marks.length < 400; ++k) {
    const lng = k * lngStep;
    curve(lng, low, high, (a, b) => forward(b, a));
    for (let i = 0; i <= 60; ++i) {  // The label is where the meridian leaves the lower edge.
      const [x, y] = forward(low + (high - low) * i / 60, lng);
      if (toY(y) > height || toX(x) < 0 || toX(x) > width) continue;
      marks.push([degrees(turned(lng), lngStep, 'EW'), toX(x) + 3, height - 4]);
      break;
    }
  }
  for (let k = Math.ceil(low / latStep); k * latStep <= high && marks.length < 800; ++k) {
    const lat = k * latStep;
    curve(lat, west, east, forward);
    for (let i = 0; i <= 60; ++i) {
      const [x, y] = forward(lat, west + (east - west) * i / 60);
      if (toX(x) < 0 || toY(y) < 0 || toY(y) > height) continue;
      marks.push([degrees(lat, latStep, 'NS'), 4, toY(y) - 3]);
      break;
    }
  }
  context.stroke();
  for (const mark of marks) label(...mark);
};
const lengthText = length => {
  if (isPlane) return Number(length.toPrecision(6)) + (length === 1 ? ' unit' : ' units');
  return length >= 1000 ? Number((length / 1000).toPrecision(6)) + ' km' : Number(length.toPrecision(6)) + ' m';
};
let barText = '';
const drawBar = () => {
  const length = roundDown(180 / view.scale), x = width - 30 - length * view.scale;
  barText = lengthText(length);
  context.fillStyle = 'rgba(255,255,255,.88)';
  context.fillRect(x - 10, 12, length * view.scale + 20, 34);
  context.strokeStyle = '#000'; context.lineWidth = 2;
  context.beginPath(); context.moveTo(x, 36); context.lineTo(x, 40);
  context.lineTo(x + length * view.scale, 40); context.lineTo(x + length * view.scale, 36); context.stroke();
  context.fillStyle = '#000'; context.fillText(barText, x, 30);
};
const draw = () => {
  isWaiting = false;
  const ratio = window.devicePixelRatio || 1;
  width = canvas.clientWidth; height = canvas.clientHeight;
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio); canvas.height = Math.round(height * ratio);
  }
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  context.font = '12px sans-serif';
  context.fillStyle = 'rgba(120,120,120,.25)'; context.strokeStyle = '#777'; context.lineWidth = 1;
  for (const rings of data.polygons) {
    context.beginPath();
    for (const ring of rings) {
      for (let i = 0; i < ring.length; i += 2) {
        i ? context.lineTo(toX(ring[i]), toY(ring[i + 1])) : context.moveTo(toX(ring[i]), toY(ring[i + 1]));
      }
      context.closePath();
    }
    context.fill('evenodd'); context.stroke();
  }
  context.strokeStyle = '#ddd'; context.lineWidth = 1; lines = 0;
  isPlane ? drawPlaneGrid() : drawGraticule();
  for (const [isRelay, colour] of [[false, '#969696'], [true, '#e69f00']]) {
    context.strokeStyle = colour; context.lineWidth = 1; context.beginPath();
    for (let i = 0; i < links.length; i += 2) {
      const a = links[i], b = links[i + 1];
      if ((a >= starts[1] || b >= starts[1]) !== isRelay) continue;
      const ax = toX(X(a)), ay = toY(Y(a)), bx = toX(X(b)), by = toY(Y(b));
      if (Math.max(ax, bx) < 0 || Math.min(ax, bx) > width || Math.max(ay, by) < 0 || Math.min(ay, by) > height) continue;
      context.moveTo(ax, ay); context.lineTo(bx, by);
    }
    context.stroke();
  }
  const small = nodes > 20000 && view.scale * data.radius < 12 ? .35 : 1;
  kinds.forEach((kind, k) => {
    context.fillStyle = kind.colour;
    const size = kind.size * small;
    for (let i = starts[k]; i < starts[k + 1]; ++i) {
      const x = toX(X(i)), y = toY(Y(i));
      if (x < -9 || x > width + 9 || y < -9 || y > height + 9) continue;
      if (small < 1) { context.fillRect(x - size, y - size, 2 * size, 2 * size); continue; }
      context.beginPath(); context.arc(x, y, size, 0, 7); context.fill();
    }
  });
  if (hovered >= 0) {
    context.strokeStyle = kinds[kindOf(hovered)].colour; context.lineWidth = 1.5;
    context.beginPath();
    context.arc(toX(X(hovered)), toY(Y(hovered)), Math.max(7, data.radius * view.scale), 0, 7); context.stroke();
  }
  drawBar();
};
const redraw = () => { if (!isWaiting) { isWaiting = true; requestAnimationFrame(draw); } };
const showAll = () => {
  width = canvas.clientWidth; height = canvas.clientHeight;
  view = {x: data.width / 2, y: data.height / 2,
          scale: Math.min(.9 * width / Math.max(data.width, data.radius / 10, 1e-9),
                          .85 * height / Math.max(data.height, data.radius / 10, 1e-9))};
  redraw();
};
const zoom = (factor, x, y) => {
  const px = fromX(x), py = fromY(y);
  view.scale *= factor;
  view.x = px - (x - width / 2) / view.scale; view.y = py - (height / 2 - y) / view.scale;
  redraw();
};
const pointers = new Map();
canvas.addEventListener('pointerdown', event => {
  canvas.setPointerCapture(event.pointerId); pointers.set(event.pointerId, event);
});
for (const name of ['pointerup', 'pointercancel'])
  canvas.addEventListener(name, event => pointers.delete(event.pointerId));
canvas.addEventListener('pointermove', event => {
  const last = pointers.get(event.pointerId);
  if (!last) { hover(event); return; }
  const others = [...pointers.values()].filter(other => other.pointerId !== event.pointerId);
  if (others.length) {  // Two fingers scale.
    const other = others[0], x = other.offsetX, y = other.offsetY;
    zoom(Math.hypot(event.offsetX - x, event.offsetY - y) / Math.max(1, Math.hypot(last.offsetX - x, last.offsetY - y)), x, y);
  } else {
    view.x -= (event.offsetX - last.offsetX) / view.scale; view.y += (event.offsetY - last.offsetY) / view.scale;
    redraw();
  }
  pointers.set(event.pointerId, event);
});
canvas.addEventListener('wheel', event => {
  event.preventDefault(); zoom(Math.exp(-event.deltaY / (event.deltaMode ? 12 : 400)), event.offsetX, event.offsetY);
}, {passive: false});
canvas.addEventListener('dblclick', event => zoom(2, event.offsetX, event.offsetY));
window.addEventListener('keydown', event => {
  const moves = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1]};
  if (moves[event.key]) {
    view.x += moves[event.key][0] * 60 / view.scale; view.y += moves[event.key][1] * 60 / view.scale; redraw();
  } else if (event.key === '+' || event.key === '=') zoom(1.5, width / 2, height / 2);
  else if (event.key === '-') zoom(1 / 1.5, width / 2, height / 2);
  else if (event.key === '0') showAll();
});
const nearest = (x, y) => {
  let best = -1, least = 12 * 12;
  for (let i = 0; i < nodes; ++i) {
    const dx = toX(X(i)) - x, dy = toY(Y(i)) - y, squared = dx * dx + dy * dy;
    if (squared < least) { least = squared; best = i; }
  }
  return best;
};
const describe = i => {
  const x = X(i), y = Y(i), kind = kinds[kindOf(i)].name.replace(/^(point|relay)s/, '$1');
  const [lat, lng] = isPlane ? [0, 0] : inverse(x, y);
  const position = isPlane ? 'x ' + Number((x + data.left).toPrecision(9)) + ', y ' + Number((y + data.bottom).toPrecision(9))
                           : 'lat ' + lat.toFixed(6) + ', lng ' + turned(lng).toFixed(6);
  return nameOf(i) + ', ' + kind + ': ' + position;
};
const hover = event => {
  const found = nearest(event.offsetX, event.offsetY);
  if (found !== hovered) { hovered = found; redraw(); }
  note.style.display = found < 0 ? 'none' : 'block';
  if (found < 0) return;
  note.textContent = describe(found);
  note.style.left = Math.max(4, Math.min(event.offsetX + 14, width - note.offsetWidth - 8)) + 'px';
  note.style.top = Math.max(4, event.offsetY - note.offsetHeight - 10) + 'px';
};
const legend = document.getElementById('legend');
kinds.forEach((kind, k) => {
  if (!data.counts[k]) return;
  const line = document.createElement('div'), mark = document.createElement('i');
  mark.style.background = kind.colour;
  line.append(mark, data.counts[k] + ' ' + kind.name); legend.append(line);
});
new ResizeObserver(redraw).observe(canvas);
showAll();
window.millrace = {forward, inverse, describe, nearest, zoom, draw,
                   get view() { return view; }, get lines() { return lines; }, get bar() { return barText; }};
</script>
</body>
</html>
)page";
// clang-format on

}  // namespace millrace::tools

#endif  // MILLRACE_TOOLS_COMMAND_THREE_STAR_NETWORK_RELAY_PAGE_TEXT_H_
