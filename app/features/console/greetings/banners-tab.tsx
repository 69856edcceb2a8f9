import { useState } from 'react';
import { useMediaQuery } from '#app/ui/after-hydration.ts';
import { Button } from '#app/ui/button.tsx';
import { FailedState } from '#app/ui/empty-state.tsx';
import { BlankPanel, LoadingShape } from '#app/ui/loading-shapes.tsx';
import { Panel } from '#app/ui/panel.tsx';
import { toast } from '#app/ui/toast.tsx';
import { greetingAt } from '#domain/greetings/greeting-at.ts';
import { fromIndiaClock, startOfIndianDay, toIndiaClock } from '#domain/greetings/india-clock.ts';
import { formatMoment } from '#domain/time.ts';
import { useNow } from '../data/use-now.ts';
import { EditDialog } from '../form/edit-dialog.tsx';
import { useShortcut } from '../frame/shortcuts.tsx';
import { BannerForm } from './banner-form.tsx';
import { BannerPreview } from './banner-preview.tsx';
import { BannerTable } from './banner-table.tsx';
import { bannerPicture } from './banner-values.ts';
import styles from './banners-tab.module.css';
import { CalendarStrip } from './calendar-strip.tsx';
import { type GreetingRow, Greetings } from './greeting-data.ts';
import type { ShopPreviews } from './shop-previews.ts';
import { type TabProps, useGone } from './tab.ts';
import { useDeleteRow } from './use-row-form.ts';
import { useRows } from './use-rows.ts';

const daysInSight = 70;
const week = 7 * 86_400_000;
/** A card each on a phone: more would bury what is next. */
const mostOnPhone = 10;

/** Festival banners: what is shown at a moment, when each has its turn, and all of them in a list. */
export function BannersTab({ opened, open, hrefFor, Banner }: TabProps & Pick<ShopPreviews, 'Banner'>) {
  const { data, isPending, isLoadingError, refetch } = useRows('greetings', Greetings);
  const now = useNow().getTime();
  const [chosen, setChosen] = useState<number | null>(null);
  const at = chosen ?? now;
  const [from, setFrom] = useState(() => startOfIndianDay(now) - week);
  const [showsPast, setShowsPast] = useState(false);
  const [showsAll, setShowsAll] = useState(false);
  const isPhone = useMediaQuery('(max-width: 767px)');
  useShortcut('n', 'New greeting', () => open('new'));
  useGone(
    data !== undefined && opened !== '' && opened !== 'new' && !data.some(({ id }) => String(id) === opened),
    'greeting',
    open,
  );

  if (isPending)
    return (
      <LoadingShape>
        <BlankPanel title="What visitors see" hasChart />
        <BlankPanel title="All greetings" lines={6} />
      </LoadingShape>
    );
  if (isLoadingError) return <FailedState retry={refetch} />;
  const greetings = data;
  const past = greetings.filter(({ endsAt }) => endsAt <= now);
  const rows = showsPast ? greetings : greetings.filter(({ endsAt }) => endsAt > now);
  const isCut = isPhone && !showsAll && !showsPast && rows.length > mostOnPhone;
  const hrefForRow = ({ id }: GreetingRow) => hrefFor(String(id));

  function look(moment: number) {
    setChosen(moment);
    if (moment < from || moment >= from + daysInSight * 86_400_000) setFrom(startOfIndianDay(moment) - week);
  }

  return (
    <>
      <Panel title="What visitors see">
        <div className={styles.look}>
          <Moment at={at} isNow={chosen === null} onChange={look} onNow={() => setChosen(null)} />
          <Shown greetings={greetings} at={at} Banner={Banner} />
          <CalendarStrip
            greetings={greetings}
            from={from}
            days={daysInSight}
            at={at}
            hrefFor={hrefForRow}
            onLook={look}
            onTurn={(days) => setFrom(from + days * 86_400_000)}
          />
        </div>
      </Panel>
      <Panel
        title="All greetings"
        actions={
          past.length > 0 && (
            <Button size="small" aria-pressed={showsPast} onClick={() => setShowsPast(!showsPast)}>
              {showsPast ? 'Hide past' : `Show ${past.length} past`}
            </Button>
          )
        }
      >
        <BannerTable rows={isCut ? rows.slice(0, mostOnPhone) : rows} all={greetings} now={now} hrefFor={hrefForRow} />
        {isCut && <Button onClick={() => setShowsAll(true)}>Show all {rows.length}</Button>}
      </Panel>
      <BannerDialog
        opened={opened}
        greetings={greetings}
        Banner={Banner}
        onClose={() => {
          open('');
          refetch(); // it may have been changed by someone else
        }}
        onChange={refetch}
      />
    </>
  );
}

type MomentProps = { at: number; isNow: boolean; onChange(at: number): void; onNow(): void };

function Moment({ at, isNow, onChange, onNow }: MomentProps) {
  return (
    <div className={styles.moment}>
      <label>
        As of (India)
        <input
          type="datetime-local"
          value={toIndiaClock(at)}
          onChange={(event) => {
            const typed = fromIndiaClock(event.target.value);
            if (typed !== null) onChange(typed);
          }}
        />
      </label>
      {!isNow && (
        <Button size="small" onClick={onNow}>
          Now
        </Button>
      )}
    </div>
  );
}

type ShownProps = Pick<ShopPreviews, 'Banner'> & { greetings: readonly GreetingRow[]; at: number };

function Shown({ greetings, at, Banner }: ShownProps) {
  const shown = greetingAt(greetings, at);
  const when = formatMoment(new Date(at));
  return (
    <div role="status" aria-label="Banner at this time">
      {shown ? (
        <>
          <p className="visually-hidden">
            {when}: {shown.title}. {shown.message}
          </p>
          <BannerPreview label={`${when}${shown.hasFireworks ? ', with fireworks' : ''}`}>
            <Banner greeting={shown} />
          </BannerPreview>
        </>
      ) : (
        <p className={styles.none}>{when}: no banner.</p>
      )}
    </div>
  );
}

type DialogProps = Pick<ShopPreviews, 'Banner'> & {
  opened: string;
  greetings: readonly GreetingRow[];
  onClose(): void;
  onChange(): void;
};

function BannerDialog({ opened, greetings, Banner, onClose, onChange }: DialogProps) {
  const remove = useDeleteRow('greetings');
  const greeting = greetings.find(({ id }) => String(id) === opened) ?? null;
  return (
    <EditDialog
      open={opened === 'new' || greeting !== null}
      title={greeting?.title ?? 'New greeting'}
      deletion={
        greeting && {
          title: `Delete “${greeting.title}”?`,
          text: 'To remove it from the shop for a while, unpublish it instead.',
          done: `Deleted: ${greeting.title}`,
          run: () => remove(greeting, greeting.image, bannerPicture.widths),
        }
      }
      onClose={onClose}
      onDeleted={onChange}
    >
      {(controls) => (
        <BannerForm
          key={greeting?.updated_at ?? 'new'}
          greeting={greeting}
          others={greetings.filter(({ id }) => id !== greeting?.id)}
          Banner={Banner}
          controls={controls}
          onSaved={() => {
            toast('success', 'Saved.');
            controls.close();
          }}
        />
      )}
    </EditDialog>
  );
}
