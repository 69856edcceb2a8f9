import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { useSession } from '#app/backend/session.tsx';
import { isCancelable, mayBeClaimed } from '#app/parts/order-progress/order-standing.ts';
import { RecipientForm } from '#app/parts/recipient-form/recipient-form.tsx';
import { Badge } from '#app/ui/badge.tsx';
import { Button } from '#app/ui/button.tsx';
import { FailedState } from '#app/ui/empty-state.tsx';
import { SearchField } from '#app/ui/search-field.tsx';
import { Skeleton } from '#app/ui/skeleton.tsx';
import { toast } from '#app/ui/toast.tsx';
import type { ResultOf } from '#contracts/contract.ts';
import type { myGroup } from '#contracts/groups.ts';
import { emptyRecipient, type RecipientFields } from '#domain/groups/recipient.ts';
import { formatPaise, paise } from '#domain/money.ts';
import { formatCalendarDay } from '#domain/time.ts';
import type { OrderToCancel } from './cancel-dialog.tsx';
import { DocumentButtons } from './document-buttons.tsx';
import styles from './group-recipients.module.css';
import { statusClass, statusTone } from './order-history.ts';

type Group = NonNullable<ResultOf<typeof myGroup>>;
type Member = Group['orders'][number];

export type GroupRecipientsProps = {
  groupId: string;
  /** Another one: read again. */
  version: unknown;
  onCancel(order: OrderToCancel): void;
  claims?: ((orderId: string) => ReactNode) | undefined;
};

const shownAtOnce = 50;
const searchedFrom = 12;
const moneyBack: Record<string, string> = {
  refund_pending: 'refund on its way',
  partially_refunded: 'partly refunded',
  refunded: 'refunded',
  refund_failed: 'refund delayed',
};

/** The recipients of a group: each can be followed, corrected until it is packed, and canceled by itself. */
export default function GroupRecipients({ groupId, version, onCancel, claims }: GroupRecipientsProps) {
  const { client } = useSession();
  const [members, setMembers] = useState<Member[] | 'failed' | null>(null);
  const [documents, setDocuments] = useState<Group['documents']>([]);
  const [corrected, setCorrected] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [search, setSearch] = useState('');
  const [attempt, setAttempt] = useState(0);
  const [most, setMost] = useState(shownAtOnce);

  const read = useEffectEvent(async (reference: string, _version: unknown) => {
    try {
      const { data, error } = await (await client()).rpc('my_group', { reference });
      if (error) throw error;
      const group = data as Group | null;
      setDocuments(group?.documents ?? []);
      setMembers(group?.orders ?? []);
    } catch {
      setMembers((before) => (Array.isArray(before) ? before : 'failed'));
    }
  });
  useEffect(() => {
    void read(groupId, [version, attempt]);
  }, [groupId, version, attempt]);

  async function correct(orderId: string, fields: RecipientFields) {
    setBusy(true);
    try {
      const { data, error } = await (await client()).rpc('correct_recipient', {
        order_id: orderId,
        delivery: {
          name: fields.name,
          phone: fields.phone,
          building_no: fields.buildingNo,
          street: fields.street,
          city: fields.city,
          state: fields.state,
          zip: fields.pincode,
        },
      });
      if (error) return toast('error', error.message || 'Something went wrong. Please try again.');
      const now = data as Member;
      setMembers((before) =>
        Array.isArray(before) ? before.map((one) => (one.order_id === orderId ? now : one)) : before,
      );
      setCorrected(null);
      toast('success', `The address of ${now.name} is corrected.`);
    } catch {
      toast('error', 'Something went wrong. Please try again.');
    } finally {
      setBusy(false);
    }
  }

  if (members === null) return <Skeleton />;
  if (members === 'failed')
    return <FailedState title="We couldn’t load the recipients." retry={() => setAttempt(attempt + 1)} />;
  const wanted = search.trim().toLowerCase();
  const found = members.filter(({ name, city, zip, number }) =>
    `${name} ${city} ${zip} ${number}`.toLowerCase().includes(wanted),
  );
  return (
    <div className={styles.recipients}>
      {members.length > searchedFrom && (
        <SearchField
          label="Find a recipient"
          placeholder="Name, city or order number"
          value={search}
          onSearch={setSearch}
        />
      )}
      <ul aria-label="Recipients">
        {found.slice(0, most).map((member) => (
          <li key={member.order_id}>
            {corrected === member.order_id ? (
              <RecipientForm
                fields={fieldsOf(member)}
                errors={{}}
                boxes={null}
                saveLabel="Save address"
                isBusy={isBusy}
                onSave={(fields) => void correct(member.order_id, fields)}
                onCancel={() => setCorrected(null)}
              />
            ) : (
              <MemberView
                member={member}
                documents={documents.filter(({ order_id }) => order_id === member.order_id)}
                onCorrect={() => setCorrected(member.order_id)}
                onCancel={() =>
                  onCancel({
                    id: member.order_id,
                    shortId: member.order_id.slice(0, 8),
                    totalPaise: paise(member.total_paise),
                    paymentStatus: member.payment_status,
                  })
                }
              />
            )}
            {claims && mayBeClaimed(member) && <MemberClaims of={member} claims={claims} />}
          </li>
        ))}
      </ul>
      {found.length === 0 && <p>No matching recipients.</p>}
      {found.length > most && (
        <Button onClick={() => setMost(most + shownAtOnce)}>
          Show {Math.min(shownAtOnce, found.length - most)} more
        </Button>
      )}
    </div>
  );
}

type MemberViewProps = { member: Member; documents: Group['documents']; onCorrect(): void; onCancel(): void };

/** Read when it is opened: a list of recipients asks for nothing about each of them. */
function MemberClaims({ of: { order_id, name }, claims }: { of: Member; claims(orderId: string): ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  if (isOpen) return claims(order_id);
  return (
    <Button
      size="small"
      variant="text"
      aria-label={`Problems with the parcel for ${name}`}
      onClick={() => setOpen(true)}
    >
      Problem with this parcel?
    </Button>
  );
}

function MemberView({ member, documents, onCorrect, onCancel }: MemberViewProps) {
  const { name, status, payment_status, delivery_by, deliver_on, tracking_url } = member;
  const isComing = !['Delivered', 'canceled', 'Refunded', 'Undelivered'].includes(status);
  const facts = [
    `#${member.number}`,
    `${member.city} ${member.zip}`,
    formatPaise(member.total_paise),
    isComing && delivery_by && `arrives ${deliver_on ? 'on' : 'by'} ${formatCalendarDay(delivery_by)}`,
    moneyBack[payment_status],
  ].filter(Boolean);
  return (
    <div className={styles.member}>
      <div className={styles.words}>
        <p className={styles.name}>{name}</p>
        <p className={styles.facts}>{facts.join(' · ')}</p>
        <p className={styles.facts}>{member.items.map(contentOf).join(', ')}</p>
        {member.note && (
          <p className={styles.note} dir="auto">
            “{member.note}”
          </p>
        )}
      </div>
      <Badge tone={statusTone(status)} className={`${styles.status} ${statusClass(status)}`}>
        {status}
      </Badge>
      <div className={styles.actions}>
        {tracking_url && (
          <a href={tracking_url} target="_blank" rel="noreferrer">
            Track<span className="visually-hidden"> the parcel of {name}</span>
          </a>
        )}
        {member.can_be_corrected && (
          <Button size="small" onClick={onCorrect}>
            Correct address<span className="visually-hidden"> of {name}</span>
          </Button>
        )}
        <DocumentButtons
          order={{ id: member.order_id, number: member.number, shortId: member.order_id.slice(0, 8), documents }}
          of={member.name}
        />
        {isCancelable({ status, fulfilment: 'delivery' }) && (
          <Button size="small" variant="text" aria-haspopup="dialog" onClick={onCancel}>
            Cancel<span className="visually-hidden"> the order for {name}</span>
          </Button>
        )}
      </div>
    </div>
  );
}

const contentOf = ({ name, quantity, size }: Member['items'][number]) =>
  `${quantity} × ${name}${size === null ? '' : `, ${size} g`}`;

const fieldsOf = (member: Member): RecipientFields => ({
  ...emptyRecipient,
  name: member.name,
  phone: member.phone,
  buildingNo: member.building_no,
  street: member.street,
  city: member.city,
  state: member.state,
  pincode: member.zip,
});
