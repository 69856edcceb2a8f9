import { call } from '../../contracts/contract.ts';
import { recordDownload as recordInLog } from '../../contracts/people.ts';
import type { FunctionContext } from './context.ts';

/** Records a download of personal data in the security log before it is sent; without that, no file. */
export async function recordDownload(
  request: Request,
  { db, customer }: Pick<FunctionContext, 'db' | 'customer'>,
  what: 'customers' | 'orders' | 'documents' | 'own-data',
): Promise<void> {
  if (!customer) throw new Error('no customer is logged in');
  const user_agent = request.headers.get('user-agent') ?? '';
  await call(db.rpc, recordInLog, { user_id: customer.id, what, user_agent });
}
