import { useSession } from '#app/backend/session.tsx';
import { Button } from '#app/ui/button.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { Picture } from '#app/ui/picture.tsx';
import { toast } from '#app/ui/toast.tsx';
import { pictureSources } from '#domain/catalog/product-image.ts';
import styles from './account-page.module.css';

const picture = pictureSources('/images/products/laddu-combo-960.webp');

export function SignInPrompt() {
  const { signIn } = useSession();

  async function login() {
    const result = await signIn();
    if (!result.ok) toast('error', result.message);
  }

  return (
    <EmptyState
      heading="h2"
      className={styles.signIn}
      picture={<Picture sources={picture} sizes="240px" width={240} height={240} />}
      title="Log in to see your orders and address"
      text="We’ll bring you right back here."
      action={
        <Button variant="primary" onClick={login}>
          Log in
        </Button>
      }
    />
  );
}
