import { call } from '../../contracts/contract.ts';
import { isAdministrator } from '../../contracts/people.ts';
import type { FunctionHandler } from './context.ts';
import { problem } from './problem.ts';

/** Only administrators may call the function. */
export const forAdministrators =
  (handler: FunctionHandler): FunctionHandler =>
  async (request, context) => {
    if (!context.customer) return problem(401, 'sign-in-required', 'Log in as an administrator.');
    if (!(await call(context.db.rpc, isAdministrator, { user_id: context.customer.id })))
      return problem(403, 'administrators-only', 'Only administrators can do this.');
    return handler(request, context);
  };
