import { lazy, type ReactNode, Suspense, useEffect, useEffectEvent, useId, useMemo, useRef, useState } from 'react';
import { useSession } from '#app/backend/session.tsx';
import { Button } from '#app/ui/button.tsx';
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx';
import { FailedState } from '#app/ui/empty-state.tsx';
import { Skeleton } from '#app/ui/skeleton.tsx';
import { toast } from '#app/ui/toast.tsx';
import { type GiftErrors, giftErrors, tidiedGift } from '#domain/gifts/gift.ts';
import type { Row } from '#domain/groups/group-draft.ts';
import { emptyRecipient, type GroupCard, type RecipientFields, recipientErrors } from '#domain/groups/recipient.ts';
import { BoxEditor } from './box-editor.tsx';
import { CardEditor } from './card-editor.tsx';
import { type Check, readGroup } from './group-backend.ts';
import { GroupOutcome } from './group-outcome.tsx';
import styles from './group-page.module.css';
import { GroupTotals, type PayForGroup } from './group-totals.tsx';
import { isWrong, RecipientList } from './recipient-list.tsx';
import { SheetInput } from './sheet-input.tsx';
import { useBoxProducts } from './use-box-products.ts';
import { useGroupDraft } from './use-group-draft.ts';

const GroupAgain = lazy(() => import('./group-again.tsx'));

export type GroupPageProps = {
  shopName: string;
  /** Opens the payment: this page knows nothing of providers. */
  pay: PayForGroup;
};

/** Many recipients, one payment: boxes, recipients, card, and what it costs. Everything typed stays in the browser. */
export function GroupPage({ shopName, pay }: GroupPageProps) {
  const session = useSession();
  const { draft, isRead, isKept, change, clear } = useGroupDraft();
  const products = useBoxProducts(session.config);
  const [checked, setChecked] = useState<{ of: unknown; boxes: unknown; check: Check } | null>(null);
  const [opened, setOpened] = useState<number | null>(null);
  const [isClearing, setClearing] = useState(false);
  const [isCardChecked, setCardChecked] = useState(false);
  const list = useRef<HTMLElement>(null);
  const { boxes, rows, card, paying } = draft;

  // What was checked is what is paid: any change asks for another check.
  const isCurrent = checked?.of === contentOf(draft);
  const check = isCurrent ? checked.check : null;
  const answers = checked?.boxes === boxes ? checked.check.rows : undefined;
  const checkedRows = useMemo(
    () =>
      rows.map((row) => ({
        ...row,
        errors: recipientErrors(row.fields, boxes.length),
        // Of a row that was corrected since, the answer is gone.
        answer: answers?.get(row.id) ?? null,
      })),
    [rows, boxes.length, answers],
  );
  const wrongRows = checkedRows.filter(isWrong).length;
  const cardErrors = errorsOf(card);

  function changeRows(next: (before: Row[]) => Row[], changed: number | null = null) {
    change((before) => ({ ...before, rows: next(before.rows) }));
    if (changed === null || !checked?.check.rows.has(changed)) return;
    const others = new Map(checked.check.rows);
    others.delete(changed);
    setChecked({ of: null, boxes, check: { ...checked.check, rows: others } });
  }
  const addRows = (recipients: RecipientFields[]) =>
    changeRows((before) => {
      const next = nextId(before);
      return [...before, ...recipients.map((fields, place) => ({ id: next + place, fields }))];
    });

  // Somebody left in the middle of paying, and had paid.
  const { begun } = draft;
  const findPaid = useEffectEvent(async (reference: string) => {
    const group = await readGroup(session.client, reference);
    if (group && group !== 'failed' && group.state === 'ordered')
      change((before) => ({ ...before, paying: reference }));
  });
  useEffect(() => {
    if (begun && !paying && session.state === 'signed-in') void findPaid(begun);
  }, [begun, paying, session.state]);

  useEffect(() => {
    if (opened !== null && !rows.some(({ id }) => id === opened)) setOpened(null);
  }, [opened, rows]);

  if (paying)
    return (
      <GroupOutcome
        reference={paying}
        onDone={clear}
        onBack={() => change((before) => ({ ...before, paying: null, begun: null }))}
      />
    );

  return (
    <main className={styles.page} data-above-bar>
      <h1 className={styles.title}>Send to many</h1>
      <p className={styles.lead}>
        One box or a few kinds, up to 500 recipients, one payment. Each gets a parcel with your card and without prices.
      </p>
      <noscript>
        <p>Turn on JavaScript to make your list. It’s saved in this browser.</p>
      </noscript>
      {!isKept && (
        <p role="alert" className={styles.warning}>
          Your browser isn’t saving this list. Don’t reload this page before you’ve paid.
        </p>
      )}
      {isRead && (
        <Suspense>
          <GroupAgain draft={draft} onReplace={(again) => change(() => again)} />
        </Suspense>
      )}
      <div className={styles.columns}>
        <div className={styles.steps}>
          <Step number={1} title="Choose the boxes">
            {!isRead || products.state === 'loading' ? (
              <Skeleton />
            ) : products.state === 'failed' ? (
              <FailedState title="We couldn’t load our sweets just now." retry={products.retry} />
            ) : (
              <BoxEditor
                boxes={boxes}
                products={products.list}
                onChange={(next) => change((before) => ({ ...before, boxes: next }))}
              />
            )}
          </Step>
          <Step number={2} title="Add the recipients" innerRef={list}>
            <SheetInput
              count={rows.length}
              onRead={addRows}
              onAddOne={() => {
                setOpened(nextId(rows));
                addRows([emptyRecipient]);
              }}
            />
            {rows.length > 0 && (
              <>
                <div className={styles.listHead}>
                  <p role="status">
                    {rows.length === 1 ? '1 recipient' : `${rows.length} recipients`}
                    {wrongRows > 0 && <strong> · {wrongRows} to correct</strong>}
                  </p>
                  <Button size="small" variant="text" onClick={() => setClearing(true)}>
                    Remove all
                  </Button>
                </div>
                <RecipientList
                  rows={checkedRows}
                  boxes={boxes.length}
                  opened={opened}
                  onOpen={setOpened}
                  onChange={(id, fields) =>
                    changeRows((before) => before.map((row) => (row.id === id ? { id, fields } : row)), id)
                  }
                  onRemove={(id) => changeRows((before) => before.filter((row) => row.id !== id), id)}
                />
              </>
            )}
          </Step>
          <Step number={3} title="Write the card">
            <CardEditor
              card={card}
              errors={isCardChecked ? cardErrors : {}}
              shopName={shopName}
              onChange={(next: GroupCard) => change((before) => ({ ...before, card: next }))}
            />
          </Step>
        </div>
        <section className={styles.totals} aria-labelledby="group-totals">
          <h2 id="group-totals">Check and pay</h2>
          <GroupTotals
            draft={draft}
            check={check}
            lastShort={checked?.check.short ?? []}
            pay={pay}
            missing={() => {
              if (boxes.some((box) => box.length === 0)) return 'Choose what is in each box.';
              if (rows.length === 0) return 'Add at least one recipient.';
              if (checkedRows.some(({ errors }) => Object.keys(errors).length > 0)) {
                list.current?.scrollIntoView({ block: 'start' });
                return 'Please correct the recipients that are marked.';
              }
              setCardChecked(true);
              return Object.values(cardErrors)[0] ?? null;
            }}
            onChecked={(found) => {
              setChecked({ of: contentOf(draft), boxes, check: found });
              const refused = [...found.rows.values()].filter(({ ok }) => !ok).length;
              if (refused === 0) return;
              toast(
                'warning',
                refused === 1 ? '1 recipient needs a correction.' : `${refused} recipients need a correction.`,
              );
              list.current?.scrollIntoView({ block: 'start' });
            }}
            onStale={() => setChecked(null)}
            onBegun={(reference) => change((before) => ({ ...before, begun: reference }))}
            onPaying={(reference) => change((before) => ({ ...before, paying: reference }))}
          />
        </section>
      </div>
      <ConfirmDialog
        open={isClearing}
        title="Remove all recipients?"
        text="Your boxes and the card stay. This can’t be undone."
        confirmLabel="Remove all"
        tone="danger"
        onConfirm={() => {
          changeRows(() => []);
          setChecked(null);
          setClearing(false);
        }}
        onClose={() => setClearing(false)}
      />
    </main>
  );
}

/** What a check is about: the same object as long as nothing of it changes. */
const contents = new WeakMap<Row[], [unknown, unknown, object]>();
function contentOf({ rows, boxes, card }: { rows: Row[]; boxes: unknown; card: unknown }): object {
  const known = contents.get(rows);
  if (known && known[0] === boxes && known[1] === card) return known[2];
  const content = {};
  contents.set(rows, [boxes, card, content]);
  return content;
}

const nextId = (rows: readonly Row[]) => rows.reduce((most, { id }) => Math.max(most, id), 0) + 1;

function errorsOf({ motif, senderName, note }: GroupCard): GiftErrors {
  return giftErrors(tidiedGift({ motif, senderName, note, recipientEmail: '' }));
}

type StepProps = { number: number; title: string; innerRef?: React.Ref<HTMLElement>; children: ReactNode };

function Step({ number, title, innerRef, children }: StepProps) {
  const id = useId();
  return (
    <section className={styles.step} aria-labelledby={id} ref={innerRef}>
      <h2 id={id}>
        <span aria-hidden="true">{number}</span> {title}
      </h2>
      {children}
    </section>
  );
}
