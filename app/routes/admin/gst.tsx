export { GstPage as default } from '#app/features/console/expenses/gst-page.tsx';
