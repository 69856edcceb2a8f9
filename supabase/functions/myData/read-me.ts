import { formatMoment } from '../../../domain/time.ts';

/** What the file holds and what it does not, for its reader. */
export function readMe(at: Date): string {
  return `Your data, as of ${formatMoment(at)} (India)

profile.json                  your account, phone and address
addresses.json                your address book
orders-….json                 your orders with items, events, offers, refunds, claims, gifts and document numbers
documents/                    your invoices and credit notes
group-orders.json             orders with many recipients
payments.json                 payments and their refunds
checkouts-without-order.json  what you began to buy and did not pay
reviews.json                  your reviews
back-in-stock-requests.json   what you asked to be told about
consents.json                 every choice about messages, with where and when
festival-reminders.json       reminders of gifts we sent you
cart-reminders.json           reminders of unfinished checkouts we sent you
messages.json                 which emails and messages we sent you in the last 30 days
sessions.json, sign-ins.json  where you are and were logged in, for 90 days

Amounts that end in _paise are in paise (100 paise are one rupee), the others in rupees. Times are in UTC.

Not in here: photos of claims, which you see at the order, what the shop noted for its own work, prices it pays, and
security codes.
To correct something, change it in your profile or write to us: the grievance officer is named at the foot of our pages.
`;
}
