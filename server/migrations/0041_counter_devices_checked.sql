-- Rows from before have no device, which all of these let in.
alter table staff_sessions validate constraint staff_sessions_of_a_device;
alter table staff_sessions validate constraint staff_sessions_of_a_device_say_when_used;
alter table staff_acts validate constraint staff_acts_on_a_device_of_their_merchant;
alter table counter_operations validate constraint counter_operations_on_the_merchants_device;
