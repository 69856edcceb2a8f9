import { useSession } from '#app/backend/session.tsx';
import buttons from '#app/ui/button.module.css';
import { Picture } from '#app/ui/picture.tsx';
import { toast } from '#app/ui/toast.tsx';
import { pictureSources } from '#domain/catalog/product-image.ts';
import styles from './empty-state.module.css';

const picture = pictureSources('/images/products/laddu-combo-960.webp');

export function SignInPrompt() {
  const { signIn } = useSession();

  async function login() {
    const result = await signIn();
    if (!result.ok) toast('error', result.message);
  }

  return (
    <div className={`${styles.empty} ${styles.page}`}>
      <Picture sources={picture} sizes="240px" width={240} height={240} />
      <h2>Log in to see your orders and address</h2>
      <p>We’ll bring you right back here.</p>
      <button type="button" className={buttons.main} onClick={login}>
        Log in
      </button>
    </div>
  );
}
