-- Console: who may call its functions. The last file of this folder, because it grants what the files before it create.
-- Every admin_ function is for signed-in callers, and begins by checking that the caller is an administrator.
select private.grant_console_functions();
