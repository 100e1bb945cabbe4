-- A purchase's id is drawn before its row is written, so that its row, its plan and its money leave in one message.
grant usage on sequence purchases_id_seq to aparta_app;
