alter table merchants validate constraint merchants_moves_allowed;
alter table merchants validate constraint merchants_move_days;
