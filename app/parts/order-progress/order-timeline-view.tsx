import { formatStep } from '#domain/time.ts';
import type { OrderProgress } from './order-standing.ts';
import styles from './order-timeline.module.css';
import { type Tracking, timelineOf } from './order-timeline.ts';

export function OrderTimeline({ order, now }: { order: OrderProgress; now: Date }) {
  const steps = timelineOf(order, now);
  return (
    <ol className={styles.steps} aria-label="Order progress">
      {steps.map((step, index) => (
        <li
          // biome-ignore lint/suspicious/noArrayIndexKey: events are only ever added at the end
          key={index}
          data-state={step.state}
          aria-current={step.state === 'current' ? 'step' : undefined}
        >
          <p className={styles.title}>{step.title}</p>
          {step.at && (
            <time className={styles.time} dateTime={step.at.toISOString()}>
              {formatStep(step.at)}
            </time>
          )}
          {step.note && <p className={styles.note}>{step.note}</p>}
          {step.tracking && <TrackingLine tracking={step.tracking} />}
        </li>
      ))}
    </ol>
  );
}

function TrackingLine({ tracking: { courier, number, url } }: { tracking: Tracking }) {
  return (
    <p className={styles.note}>
      {courier}
      {courier && (number || url) && ' · '}
      {url ? (
        <a href={url} target="_blank" rel="noreferrer">
          {number ?? 'Track your parcel'}
          <span className="visually-hidden"> (opens the courier’s website)</span>
        </a>
      ) : (
        number
      )}
    </p>
  );
}
