import { useEffect } from 'react';
import { Toaster } from '#app/ui/toast.tsx';
import { ButtonsAndWords } from './buttons-and-words.tsx';
import { Controls } from './controls.tsx';
import { themeDarkParts } from './dark-rules.ts';
import styles from './styleguide.module.css';
import { TablesAndDialogs } from './tables-and-dialogs.tsx';

/** Every part of app/ui in its states, in both themes side by side. */
export function Styleguide() {
  useEffect(() => themeDarkParts(document), []);
  return (
    <main className={styles.page}>
      <h1>Parts</h1>
      <div className={styles.themes}>
        {(['light', 'dark'] as const).map((theme) => (
          <div key={theme} className={styles.theme} data-theme={theme}>
            <h2>{theme === 'light' ? 'Light' : 'Dark'}</h2>
            <ButtonsAndWords />
            <Controls />
            <TablesAndDialogs />
          </div>
        ))}
      </div>
      <Toaster />
    </main>
  );
}
