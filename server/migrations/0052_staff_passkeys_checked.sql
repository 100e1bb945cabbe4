-- Rows from before name no passkey.
alter table staff_sessions validate constraint staff_sessions_of_a_passkey;
alter table staff_sessions validate constraint staff_sessions_of_a_device_have_no_passkey;
