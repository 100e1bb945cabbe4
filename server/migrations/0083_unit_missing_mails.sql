-- That a unit is not on its shelf an owner hears at once, unless they say otherwise: its buyer is paying for it.
alter table staff_positions alter column mails set default '{refund_owed,unit_missing}';
update staff_positions set mails = mails || '{unit_missing}' where role = 'owner' and revoked_at is null;
