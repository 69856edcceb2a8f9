import { useTodo } from '../data/todo.tsx';
import { shortCount, waitingIn } from '../data/todo-counts.ts';
import styles from './todo-count.module.css';

/** Beside the name of an area in a menu. */
export function TodoCount({ area }: { area: string }) {
  const todo = useTodo();
  const waiting = todo.state === 'ready' ? waitingIn(area, todo.value) : null;
  if (!waiting) return null;
  return (
    <b className={styles.count}>
      <span className="visually-hidden">, </span>
      {shortCount(waiting.count)}
      <span className="visually-hidden"> {waiting.words}</span>
    </b>
  );
}
