import title from '#app/ui/section-title.module.css';
import styles from './steps.module.css';

const steps = [
  { name: 'Choose', text: 'Pick your sweets in 500 g or 1 kg boxes, up to 25 of each.' },
  { name: 'Pay', text: 'See the tax and shipping for your pincode, then pay online.' },
  { name: 'Open', text: 'Your box arrives in 1 to 7 business days. Track it in your order history.' },
];

export function Steps() {
  return (
    <section className={styles.section} aria-labelledby="how-it-works">
      <h2 id="how-it-works" className={title.title}>
        From our kitchen to your door
      </h2>
      <ol className={styles.steps}>
        {steps.map((step) => (
          <li key={step.name}>
            <h3>{step.name}</h3>
            <p>{step.text}</p>
          </li>
        ))}
      </ol>
    </section>
  );
}
