import { createContext, type ReactNode, useContext, useEffect, useMemo } from 'react';
import { useSession } from '#app/backend/session.tsx';
import { readWork, type Todo } from '#contracts/console/dashboard.ts';

import { type Loaded, onDataChange, useAnswer } from './requests.ts';

type TodoAnswer = { loaded: Loaded<Todo>; reload(): void };
const TodoContext = createContext<TodoAnswer>({ loaded: { state: 'loading' }, reload() {} });

/** What waits for somebody: one answer for the dashboard, the tabs of the orders and the menus. */
export const useTodo = () => useContext(TodoContext).loaded;
export const useReloadTodo = () => useContext(TodoContext).reload;

/** In a rush something changes all the time: the counts are read again at most this often. */
const throttleMs = 800;

export function TodoProvider({ children }: { children: ReactNode }) {
  const { isAdministrator } = useSession();
  const { loaded, reload } = useAnswer(readWork, isAdministrator ? {} : null);

  useEffect(() => {
    const left = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const reloadSoon = () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        reload();
      }, throttleMs);
    };
    // The connection may have slept while nobody looked.
    const onVisible = () => document.visibilityState === 'visible' && reloadSoon();
    document.addEventListener('visibilitychange', onVisible, { signal: left.signal });
    const stopListening = onDataChange(reloadSoon);
    return () => {
      clearTimeout(timer);
      stopListening();
      left.abort();
    };
  }, [reload]);

  const answer = useMemo(() => ({ loaded, reload }), [loaded, reload]);
  return <TodoContext value={answer}>{children}</TodoContext>;
}
