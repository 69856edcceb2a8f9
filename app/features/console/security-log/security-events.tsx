import { Link } from 'react-router';
import { Badge } from '#app/ui/panel.tsx';
import { describeSecurityEvent } from '#domain/log/describe-security-event.ts';
import { deviceName } from '#domain/sign-in/device-name.ts';
import { formatDay, formatTime, instantFrom } from '#domain/time.ts';
import styles from './security-events.module.css';
import type { SecurityEvent } from './security-log-state.ts';

/** Day by day, newest first. */
export function SecurityEvents({ events }: { events: readonly SecurityEvent[] }) {
  const days = Map.groupBy(events, ({ at }) => formatDay(instantFrom(at) ?? new Date(0)));
  return (
    <div className={styles.log}>
      {[...days].map(([day, ofDay]) => (
        <section key={day} aria-label={day}>
          <h2>{day}</h2>
          <ol>
            {ofDay.map((event) => (
              <Entry key={event.id} event={event} />
            ))}
          </ol>
        </section>
      ))}
    </div>
  );
}

function Entry({ event }: { event: SecurityEvent }) {
  const { at, times, address, user_agent } = event;
  const { title, explanation, isWarning } = describeSecurityEvent(event);
  const instant = instantFrom(at);
  const customer = event.subject_id ?? event.user_id;
  return (
    <li className={styles.entry}>
      <time dateTime={at}>{instant && formatTime(instant)}</time>
      <div className={styles.what}>
        <p>
          {customer ? <Link to={`/admin/customers/${customer}`}>{title}</Link> : title}{' '}
          {times > 1 && <Badge tone={isWarning ? 'warn' : 'calm'}>{times} times in a minute</Badge>}
          {isWarning && times === 1 && <Badge tone="warn">Check this</Badge>}
        </p>
        {explanation && <p className={styles.more}>{explanation}</p>}
      </div>
      <p className={styles.more}>
        {[user_agent && deviceName(user_agent), address].filter(Boolean).join(' · ') || 'Not from a browser'}
      </p>
    </li>
  );
}
