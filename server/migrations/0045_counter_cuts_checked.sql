-- Rows from before are in no cut, which both let in.
alter table counter_operations validate constraint counter_operations_in_a_cut_of_their_drawer;
alter table counter_reversals validate constraint counter_reversals_in_a_cut_of_their_person;
