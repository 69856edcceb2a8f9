import { Icon } from './icon.tsx';

export const MailIcon = () => (
  <Icon>
    <path d="M4 6.500h16v11.500H4ZM4.500 7l7.500 6 7.500-6" />
  </Icon>
);

export const ChatIcon = () => (
  <Icon>
    <path d="M4 19.500 5.500 15A7.800 7.800 0 1 1 9 18.500ZM9 11.500h6M9 14h3.500" />
  </Icon>
);
