! SPDX-License-Identifier: Apache-2.0

! The C interface of Millrace for Fortran 2008, with the same names, types and statuses. bindings/c/millrace.h describes the calls.
! Handles are of type c_ptr. Arrays are given by c_loc and must have the target attribute.
!
!   use, intrinsic :: iso_c_binding
!   use millrace
!   status = millrace_device_open("tbb", device)
!   status = millrace_queue_create(device, c_null_ptr, queue)
!   sort%keys_in = c_loc(keys)
!   status = millrace_sort(queue, sort)
!   if (status /= millrace_ok) print *, millrace_error_message()
module millrace
  use, intrinsic :: iso_c_binding
  implicit none
  private

  ! MILLRACE_VERSION of the header that this module was written for.
  integer(c_int32_t), parameter :: header_version = 100

  integer(c_int), parameter, public :: millrace_ok = 0, millrace_invalid_argument = 1, millrace_not_found = 2, &
    millrace_unsupported = 3, millrace_out_of_memory = 4, millrace_task_failed = 5, millrace_cancelled = 6, &
    millrace_device_lost = 7, millrace_io = 8, millrace_internal = 9, millrace_version_mismatch = 10
  integer(c_int), parameter, public :: millrace_host = 0, millrace_pinned = 1, millrace_device = 2
  integer(c_int), parameter, public :: millrace_auto = 0, millrace_persistent = 1, millrace_uberkernel = 2, &
    millrace_kernel_per_type = 3
  integer(c_int), parameter, public :: millrace_u32 = 0, millrace_u64 = 1, millrace_i32 = 2, millrace_i64 = 3, &
    millrace_f32 = 4, millrace_f64 = 5, millrace_u8 = 6, millrace_u16 = 7, millrace_i8 = 8, millrace_i16 = 9, &
    millrace_f16 = 10
  integer(c_int), parameter, public :: millrace_integer = 0, millrace_half = 1, millrace_quarter = 2
  integer, parameter, public :: millrace_partitions = 41

  ! millrace_sort_arguments; `bytes` is its member `size`.
  type, bind(C), public :: millrace_sort_arguments
    integer(c_size_t) :: bytes = 72
    integer(c_size_t) :: count = 0
    type(c_ptr) :: keys_in = c_null_ptr
    type(c_ptr) :: keys_out = c_null_ptr
    type(c_ptr) :: values_in = c_null_ptr
    type(c_ptr) :: values_out = c_null_ptr
    integer(c_int32_t) :: value_bytes = 0
    integer(c_int32_t) :: is_argsort = 0
    integer(c_int32_t) :: is_descending = 0
    integer(c_int) :: key_type = millrace_u32
    integer(c_int) :: space = millrace_host
    integer(c_int) :: policy = millrace_auto
  end type

  type, bind(C), public :: millrace_motion_arguments
    integer(c_size_t) :: bytes = 64
    type(c_ptr) :: samples = c_null_ptr
    integer(c_size_t) :: frames = 0
    integer(c_int32_t) :: width = 0
    integer(c_int32_t) :: height = 0
    integer(c_int32_t) :: sample_bytes = 1
    integer(c_int32_t) :: range = 32
    integer(c_int32_t) :: lambda = 297
    integer(c_int) :: precision = millrace_quarter
    type(c_ptr) :: vectors = c_null_ptr
    type(c_ptr) :: costs = c_null_ptr
  end type

  type, bind(C), public :: millrace_vector
    integer(c_int16_t) :: x = 0, y = 0
  end type

  type, bind(C), public :: millrace_point
    integer(c_int32_t) :: x = 0, y = 0
  end type

  ! Indices of points, from 0 on, as in C.
  type, bind(C), public :: millrace_three_star
    integer(c_int32_t) :: a = 0, b = 0, c = 0
  end type

  public :: millrace_version, millrace_error_message, millrace_device_count, millrace_device_open, &
    millrace_device_close, millrace_queue_create, millrace_queue_wait, millrace_queue_free, millrace_buffer_create, &
    millrace_buffer_wrap, millrace_buffer_get, millrace_buffer_free, millrace_copy, millrace_copy_in, &
    millrace_copy_out, millrace_sort, millrace_idct, millrace_motion_search, millrace_motion_lambda, &
    millrace_three_star_count, millrace_three_star_visit

  interface
    function millrace_version() bind(C)
      import
      integer(c_int32_t) :: millrace_version
    end function

    function millrace_device_count(count) bind(C) result(status)
      import
      integer(c_size_t), intent(out) :: count
      integer(c_int) :: status
    end function

    function millrace_device_close(device) bind(C) result(status)
      import
      type(c_ptr), value :: device
      integer(c_int) :: status
    end function

    ! `options` is c_null_ptr, or c_loc of a bind(C) type with the members of millrace_queue_options.
    function millrace_queue_create(device, options, queue) bind(C) result(status)
      import
      type(c_ptr), value :: device, options
      type(c_ptr), intent(out) :: queue
      integer(c_int) :: status
    end function

    function millrace_queue_wait(queue) bind(C) result(status)
      import
      type(c_ptr), value :: queue
      integer(c_int) :: status
    end function

    function millrace_queue_free(queue) bind(C) result(status)
      import
      type(c_ptr), value :: queue
      integer(c_int) :: status
    end function

    function millrace_buffer_create(device, space, bytes, buffer) bind(C) result(status)
      import
      type(c_ptr), value :: device
      integer(c_int), value :: space
      integer(c_size_t), value :: bytes
      type(c_ptr), intent(out) :: buffer
      integer(c_int) :: status
    end function

    function millrace_buffer_wrap(device, space, data, bytes, release, context, buffer) bind(C) result(status)
      import
      type(c_ptr), value :: device, data, context
      integer(c_int), value :: space
      integer(c_size_t), value :: bytes
      type(c_funptr), value :: release
      type(c_ptr), intent(out) :: buffer
      integer(c_int) :: status
    end function

    function millrace_buffer_get(buffer, data, bytes, space) bind(C) result(status)
      import
      type(c_ptr), value :: buffer
      type(c_ptr), intent(out) :: data
      integer(c_size_t), intent(out) :: bytes
      integer(c_int), intent(out) :: space
      integer(c_int) :: status
    end function

    function millrace_buffer_free(buffer) bind(C) result(status)
      import
      type(c_ptr), value :: buffer
      integer(c_int) :: status
    end function

    function millrace_copy(queue, to, to_offset, from, from_offset, bytes) bind(C) result(status)
      import
      type(c_ptr), value :: queue, to, from
      integer(c_size_t), value :: to_offset, from_offset, bytes
      integer(c_int) :: status
    end function

    function millrace_copy_in(queue, to, to_offset, from, bytes) bind(C) result(status)
      import
      type(c_ptr), value :: queue, to, from
      integer(c_size_t), value :: to_offset, bytes
      integer(c_int) :: status
    end function

    function millrace_copy_out(queue, to, from, from_offset, bytes) bind(C) result(status)
      import
      type(c_ptr), value :: queue, to, from
      integer(c_size_t), value :: from_offset, bytes
      integer(c_int) :: status
    end function

    function millrace_sort(queue, arguments) bind(C) result(status)
      import
      type(c_ptr), value :: queue
      type(millrace_sort_arguments), intent(in) :: arguments
      integer(c_int) :: status
    end function

    function millrace_idct(queue, space, tags, coefficients, count, residual, policy) bind(C) result(status)
      import
      type(c_ptr), value :: queue, tags, coefficients, residual
      integer(c_int), value :: space, policy
      integer(c_size_t), value :: count
      integer(c_int) :: status
    end function

    function millrace_motion_search(device, arguments) bind(C) result(status)
      import
      type(c_ptr), value :: device
      type(millrace_motion_arguments), intent(in) :: arguments
      integer(c_int) :: status
    end function

    function millrace_motion_lambda(qp, lambda) bind(C) result(status)
      import
      integer(c_int32_t), value :: qp
      integer(c_int32_t), intent(out) :: lambda
      integer(c_int) :: status
    end function

    function millrace_three_star_count(queue, points, count, radius, three_stars) bind(C) result(status)
      import
      type(c_ptr), value :: queue, points
      integer(c_size_t), value :: count
      integer(c_int32_t), value :: radius
      integer(c_int64_t), intent(out) :: three_stars
      integer(c_int) :: status
    end function

    ! The visitor may be called by several threads at a time.
    function millrace_three_star_visit(queue, points, count, radius, is_raw, visitor, context, three_stars) bind(C) &
      result(status)
      import
      type(c_ptr), value :: queue, points, context
      integer(c_size_t), value :: count
      integer(c_int32_t), value :: radius, is_raw
      type(c_funptr), value :: visitor
      integer(c_int64_t), intent(out) :: three_stars
      integer(c_int) :: status
    end function

    function device_open_version(header, name, device) bind(C, name="millrace_device_open_version") result(status)
      import
      integer(c_int32_t), value :: header
      character(kind=c_char), intent(in) :: name(*)
      type(c_ptr), intent(out) :: device
      integer(c_int) :: status
    end function

    function error_message() bind(C, name="millrace_error_message") result(text)
      import
      type(c_ptr) :: text
    end function

    function c_strlen(text) bind(C, name="strlen") result(length)
      import
      type(c_ptr), value :: text
      integer(c_size_t) :: length
    end function
  end interface

contains

  function millrace_device_open(name, device) result(status)
    character(*), intent(in) :: name
    type(c_ptr), intent(out) :: device
    integer(c_int) :: status
    status = device_open_version(header_version, trim(name) // c_null_char, device)
  end function

  ! Returns the message of the last call that failed on this thread.
  function millrace_error_message() result(message)
    character(:), allocatable :: message
    character(kind=c_char), pointer :: letters(:)
    type(c_ptr) :: text
    integer :: i
    text = error_message()
    call c_f_pointer(text, letters, [c_strlen(text)])
    allocate(character(size(letters)) :: message)
    do i = 1, size(letters)
      message(i:i) = letters(i)
    end do
  end function
end module millrace
