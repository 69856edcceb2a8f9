import { href, Link } from 'react-router';
import { Badge } from '#app/ui/badge.tsx';
import type { Bill } from '#contracts/console/vendors.ts';
import { formatPaise } from '#domain/money.ts';
import { dueWords } from '#domain/purchases/due.ts';
import { calendarDay, formatDate } from '#domain/time.ts';

import styles from './vendors.module.css';

/** What is unpaid of which bill, what is due first first. */
export function BillTable({ bills, vendor }: { bills: readonly Bill[]; vendor: string }) {
  const today = calendarDay(new Date());
  return (
    <table className={styles.bills}>
      <caption className="visually-hidden">Unpaid bills of {vendor}</caption>
      <thead>
        <tr>
          <th scope="col">Bill</th>
          <th scope="col">Due</th>
          <th scope="col">Unpaid</th>
        </tr>
      </thead>
      <tbody>
        {bills.map((bill) => {
          const due = dueWords(bill.due_on, today);
          return (
            <tr key={bill.id}>
              <td>
                <Link to={href('/admin/purchases/:id', { id: String(bill.purchase_id) })}>
                  {bill.bill_number || `Purchase order ${bill.purchase_id}`}
                </Link>
                <span className={styles.small}>of {formatDate(bill.billed_on)}</span>
              </td>
              <td>
                {formatDate(bill.due_on)}{' '}
                <Badge tone={due.isOverdue ? 'bad' : due.isSoon ? 'warn' : 'calm'}>{due.words}</Badge>
              </td>
              <td className={styles.amount}>
                {formatPaise(bill.unpaid_paise)}
                {bill.unpaid_paise < bill.amount_paise && (
                  <span className={styles.small}>of {formatPaise(bill.amount_paise)}</span>
                )}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
