import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { groupDraftKey as key } from '#app/backend/group-draft-key.ts';
import { forget, recall, remember } from '#app/backend/remembered.ts';
import { useHydrated } from '#app/ui/after-hydration.ts';
import { emptyDraft, type GroupDraft, parseDraft, serializeDraft } from '#domain/groups/group-draft.ts';

/** Five hundred rows are written as one text: not with every key that is pressed. */
const writeAfterMs = 250;

export type Draft = {
  draft: GroupDraft;
  /** False until what the browser kept has been read. */
  isRead: boolean;
  /** False when the browser keeps nothing for this site. */
  isKept: boolean;
  change(next: (before: GroupDraft) => GroupDraft): void;
  clear(): void;
};

/** The list as it is typed, kept in the browser: a reload, a sign-in or a crash loses nothing. */
export function useGroupDraft(): Draft {
  const isHydrated = useHydrated();
  const [draft, setDraft] = useState<GroupDraft | null>(null);
  const [isKept, setKept] = useState(true);
  const written = useRef<GroupDraft | null>(null);

  useEffect(() => {
    if (!isHydrated) return;
    const stored = parseDraft(recall('localStorage', key));
    written.current = stored;
    setDraft(stored);
  }, [isHydrated]);

  const write = useEffectEvent(() => {
    if (!draft || draft === written.current) return;
    written.current = draft;
    if (draft === emptyDraft) forget('localStorage', key);
    else setKept(remember('localStorage', key, serializeDraft(draft)));
  });
  useEffect(() => {
    if (!draft) return;
    const timer = setTimeout(() => write(), writeAfterMs);
    return () => clearTimeout(timer);
  }, [draft]);
  useEffect(() => {
    const leave = () => write();
    window.addEventListener('pagehide', leave);
    document.addEventListener('visibilitychange', leave);
    return () => {
      leave();
      window.removeEventListener('pagehide', leave);
      document.removeEventListener('visibilitychange', leave);
    };
  }, []);

  return {
    draft: draft ?? emptyDraft,
    isRead: draft !== null,
    isKept,
    change: (next) => setDraft((before) => next(before ?? emptyDraft)),
    clear: () => setDraft(emptyDraft),
  };
}
