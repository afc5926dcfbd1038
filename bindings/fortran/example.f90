! SPDX-License-Identifier: Apache-2.0

! Sorts numbers by key, finds 3-stars and shows an error.
!
!   gfortran $(pkg-config --variable=includedir millrace)/millrace/fortran/millrace.f90 example.f90 \
!     $(pkg-config --libs millrace) -o example
program example
  use, intrinsic :: iso_c_binding
  use millrace
  implicit none

  integer(c_size_t), parameter :: count = 100000
  real(c_double), target :: keys(count), sorted(count)
  integer(c_int32_t), target :: indices(count)
  type(millrace_point), target :: points(3)
  type(millrace_sort_arguments) :: sort
  type(c_ptr) :: device, queue
  integer(c_int64_t) :: three_stars
  integer(c_int) :: status

  call check(millrace_device_open("tbb", device))
  call check(millrace_queue_create(device, c_null_ptr, queue))

  call random_number(keys)
  sort%count = count
  sort%key_type = millrace_f64
  sort%keys_in = c_loc(keys)
  sort%keys_out = c_loc(sorted)
  sort%values_out = c_loc(indices)
  sort%value_bytes = 4
  sort%is_argsort = 1
  call check(millrace_sort(queue, sort))
  if (any(sorted(2:) < sorted(:count - 1))) error stop "the keys are not in order"
  if (any(keys(indices + 1) /= sorted)) error stop "the indices are not those of the keys"

  points = [millrace_point(0, 0), millrace_point(60, 0), millrace_point(30, 52)]
  call check(millrace_three_star_count(queue, c_loc(points), 3_c_size_t, 50, three_stars))
  if (three_stars /= 1) error stop "three sensors at distances of 60 are one 3-star"

  sort%keys_in = c_null_ptr
  status = millrace_sort(queue, sort)
  if (status /= millrace_invalid_argument) error stop "a null array was taken"
  if (millrace_error_message() /= "keys_in is null; pass the address of its memory") error stop "another message was expected"

  call check(millrace_queue_free(queue))
  call check(millrace_device_close(device))
  print '(a,i0,a)', "sorted ", count, " keys and found a 3-star from Fortran"

contains

  subroutine check(status)
    integer(c_int), intent(in) :: status
    if (status == millrace_ok) return
    print '(a)', millrace_error_message()
    error stop 1
  end subroutine
end program example
