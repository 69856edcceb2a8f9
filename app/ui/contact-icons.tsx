import { Icon } from './icon.tsx';

export const MailIcon = () => (
  <Icon>
    <path d="M4 6.500h16v11.500H4ZM4.500 7l7.500 6 7.500-6" />
  </Icon>
);

export const InstagramIcon = () => (
  <Icon>
    <rect x="4.500" y="4.500" width="15" height="15" rx="4.500" />
    <circle cx="12" cy="12" r="3.500" />
    <path d="M16.250 7.750h.01" />
  </Icon>
);

export const FacebookIcon = () => (
  <Icon>
    <circle cx="12" cy="12" r="8" />
    <path d="M14.500 8.500h-1a1.500 1.500 0 0 0-1.500 1.500v9.500M9.500 13h4.500" />
  </Icon>
);

export const ChatIcon = () => (
  <Icon>
    <path d="M4 19.500 5.500 15A7.800 7.800 0 1 1 9 18.500ZM9 11.500h6M9 14h3.500" />
  </Icon>
);
