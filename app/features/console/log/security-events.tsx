import { href, Link } from 'react-router';
import { Badge } from '#app/ui/badge.tsx';
import type { SecurityEvent } from '#contracts/console/log.ts';
import { describeSecurityEvent } from '#domain/log/describe-security-event.ts';
import { deviceName } from '#domain/sign-in/device-name.ts';
import { DayList, EntryTime } from '../list/day-list.tsx';
import styles from './security-events.module.css';

export function SecurityEvents({ events }: { events: readonly SecurityEvent[] }) {
  return <DayList entries={events}>{(event) => <Entry key={event.id} event={event} />}</DayList>;
}

function Entry({ event }: { event: SecurityEvent }) {
  const { at, times, address, user_agent } = event;
  const { title, explanation, isWarning } = describeSecurityEvent(event);
  const customer = event.subject_id ?? event.user_id;
  return (
    <li className={styles.entry}>
      <EntryTime at={at} />
      <div className={styles.what}>
        <p>
          {customer ? <Link to={href('/admin/customers/:id', { id: customer })}>{title}</Link> : title}{' '}
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
