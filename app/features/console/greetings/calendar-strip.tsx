import { type MouseEvent, useId } from 'react';
import { Link } from 'react-router';
import { Button } from '#app/ui/button.tsx';
import { type Span, shownPeriods, shownSpans } from '#domain/greetings/greeting-at.ts';
import { calendarDay, formatLongMonth, formatShortDay } from '#domain/time.ts';
import { spanWords } from './banner-values.ts';
import styles from './calendar-strip.module.css';
import type { GreetingRow } from './greeting-data.ts';

type Props = {
  greetings: readonly GreetingRow[];
  /** The first day, and how many are shown. */
  from: number;
  days: number;
  /** The moment that is looked at. */
  at: number;
  hrefFor?(greeting: GreetingRow): string;
  onLook?(at: number): void;
  onTurn?(days: number): void;
};

const day = 86_400_000;
const dayOf = (instant: number) => calendarDay(new Date(instant));

/** Weeks from left to right, a line for each greeting: pale while it runs, full while it is the one that is shown. */
export function CalendarStrip({ greetings, from, days, at, hrefFor, onLook, onTurn }: Props) {
  const id = useId();
  const span: Span = { from, to: from + days * day };
  const place = (instant: number) => ((Math.min(Math.max(instant, span.from), span.to) - from) / (days * day)) * 100;
  const box = ({ from: begin, to: end }: Span) => ({
    left: `${place(begin)}%`,
    width: `${place(end) - place(begin)}%`,
  });
  const inSight = greetings.filter(({ startsAt, endsAt }) => startsAt < span.to && endsAt > span.from);

  function look(event: MouseEvent<HTMLElement>) {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    onLook?.(from + Math.round(((event.clientX - left) / width) * days * 24) * 3_600_000);
  }

  return (
    <section className={styles.strip} aria-labelledby={id}>
      <div className={styles.head}>
        <h3 id={id}>{spanWords(span)}</h3>
        {onTurn && (
          <div className={styles.turn}>
            <Button size="small" onClick={() => onTurn(-28)}>
              ← Four weeks
            </Button>
            <Button size="small" onClick={() => onTurn(28)}>
              Four weeks →
            </Button>
          </div>
        )}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <div className={styles.scroll} tabIndex={0}>
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: the field above sets the moment too */}
        {/* biome-ignore lint/a11y/noStaticElementInteractions: clicking is a shortcut to that field */}
        <div className={styles.sheet} onClick={look}>
          <div className={styles.weeks} aria-hidden="true">
            {weeksOf(span).map((week) => (
              <span key={week} style={{ left: `${place(week)}%` }}>
                {formatShortDay(dayOf(week))}
              </span>
            ))}
          </div>
          <ul>
            {inSight.map((greeting) => (
              <li key={greeting.id} data-draft={!greeting.isPublished || undefined}>
                <span className={styles.running} style={box({ from: greeting.startsAt, to: greeting.endsAt })} />
                {greeting.isPublished &&
                  shownSpans(greeting, greetings)
                    .filter(({ from: begin, to: end }) => begin < span.to && end > span.from)
                    .map((shown) => <span key={shown.from} className={styles.shown} style={box(shown)} />)}
                <Name
                  greeting={greeting}
                  begin={place(greeting.startsAt)}
                  end={place(greeting.endsAt)}
                  to={hrefFor?.(greeting)}
                />
              </li>
            ))}
          </ul>
          {at >= span.from && at < span.to && <span className={styles.moment} style={{ left: `${place(at)}%` }} />}
        </div>
      </div>
      <p className={styles.key}>Solid: shown. Pale: overridden by another greeting.</p>
      <ul className="visually-hidden" aria-label={`Greetings shown, ${formatLongMonth(dayOf(span.from))}`}>
        {shownPeriods(greetings, span).map((part) => (
          <li key={part.from}>
            {part.greeting?.title ?? 'No greeting'}: {spanWords(part)}
          </li>
        ))}
      </ul>
    </section>
  );
}

type NameProps = { greeting: GreetingRow; begin: number; end: number; to: string | undefined };

/** In its bar where that is long enough, and otherwise beside it: after its end, or before its beginning. */
function Name({ greeting, begin, end, to }: NameProps) {
  const words = greeting.isPublished ? greeting.title : `${greeting.title} (not published)`;
  const needed = shareOfSheet(words);
  const style =
    needed <= end - begin
      ? { left: `${begin}%`, maxWidth: `${end - begin}%` }
      : needed <= 100 - end || 100 - end >= begin
        ? { left: `${end}%`, maxWidth: `${100 - end}%` }
        : { right: `${100 - begin}%`, maxWidth: `${begin}%` };
  return (
    <span className={styles.name} style={style}>
      {to ? (
        <Link to={to} preventScrollReset onClick={(event) => event.stopPropagation()}>
          {words}
        </Link>
      ) : (
        words
      )}
    </span>
  );
}

/** How much of the sheet, at its narrowest, the words may take. */
function shareOfSheet(words: string): number {
  return ((words.length * 7.5 + 12) / 760) * 100;
}

function weeksOf({ from, to }: Span): number[] {
  return Array.from({ length: Math.ceil((to - from) / (7 * day)) }, (_, week) => from + week * 7 * day);
}
