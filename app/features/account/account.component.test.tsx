import { fireEvent, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, test, vi } from 'vitest';
import { showPart } from '../../../tests/support/component-page.tsx';
import { AccountTabs } from './account-tabs.tsx';
import { CancelDialog } from './cancel-dialog.tsx';
import { OrderEntry } from './order-entry.tsx';
import { orderOf } from './order-fixtures.ts';
import { ProfileForm, type ProfileFormProps } from './profile-form.tsx';

describe('the account', () => {
  test('has the tabs Profile and Order History with its count, and Logout', () => {
    showPart(<AccountTabs tab="profile" orderCount={3} />);
    expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual(['Profile', 'Order History (3)']);
    expect(screen.getByRole('link', { name: 'Logout' }).getAttribute('href')).toBe('/logout');
  });

  test('shows no count before the orders are known', () => {
    showPart(<AccountTabs tab="profile" orderCount={null} />);
    expect(screen.getByRole('tab', { name: 'Order History' })).toBeTruthy();
  });

  test('changes the tab with the arrow keys', () => {
    showPart(<AccountTabs tab="profile" orderCount={3} />, { at: '/profile' });
    fireEvent.keyDown(screen.getByRole('tab', { name: 'Profile' }), { key: 'ArrowRight' });
    expect(screen.getByTestId('address').textContent).toBe('/profile?tab=orders');
  });
});

describe('the profile', () => {
  const stored = {
    fullName: 'Meera Joshi',
    phone: '9000000001',
    buildingNo: '12',
    street: 'MG Road',
    city: 'Pune',
    state: 'Maharashtra',
    zip: '411007',
  };
  const show = (some: Partial<ProfileFormProps> = {}) => {
    const save = vi.fn(async () => true);
    showPart(<ProfileForm email="meera@example.com" stored={stored} wayBack={null} save={save} {...some} />);
    return save;
  };
  const saveChanges = () => fireEvent.click(screen.getByRole('button', { name: 'Save Changes' }));

  test('has name, email, phone and the delivery address', () => {
    show();
    expect([...document.querySelectorAll('label')].map((label) => label.textContent)).toEqual([
      'Full name',
      'Email',
      'Phone',
      'Building or apartment',
      'Street',
      'City',
      'State',
      'ZIP (pincode)',
    ]);
  });

  test('shows the email of the account, which cannot be changed here', () => {
    show();
    expect(screen.getByLabelText('Email')).toMatchObject({ value: 'meera@example.com', readOnly: true });
  });

  test('says that changes were saved', async () => {
    const user = userEvent.setup();
    const save = show();
    await user.clear(screen.getByLabelText('City'));
    await user.type(screen.getByLabelText('City'), ' Nashik ');
    saveChanges();
    expect((await screen.findByRole('alert')).textContent).toBe('Profile updated successfully!');
    expect(save).toHaveBeenCalledWith({ ...stored, city: 'Nashik' });
  });

  test('says when changes could not be saved, and keeps what was typed', async () => {
    show({ save: async () => false });
    fireEvent.change(screen.getByLabelText('Street'), { target: { value: 'Law College Road' } });
    saveChanges();
    expect((await screen.findByRole('alert')).textContent).toBe('Failed to update profile.');
    expect(screen.getByLabelText('Street')).toHaveProperty('value', 'Law College Road');
  });

  test('is not saved with a wrong pincode, which is marked', () => {
    const save = show();
    fireEvent.change(screen.getByLabelText('ZIP (pincode)'), { target: { value: '4110' } });
    saveChanges();
    expect(save).not.toHaveBeenCalled();
    expect(document.activeElement).toBe(screen.getByLabelText('ZIP (pincode)'));
  });

  test('says what is missing for a delivery', () => {
    show({ stored: { ...stored, phone: '' } });
    expect(screen.getByText('Update mobile number')).toBeTruthy();
  });
});

const emptyGift = { note: '', motif: 'diwali', senderName: 'Meera', recipientEmail: '' } as const;

describe('an order', () => {
  const shop = { email: 'hello@mithaas.example', whatsappNumber: '' };

  test('shows its short id and its status with the badge of that status', () => {
    showPart(
      <OrderEntry
        order={orderOf({})}
        refunds={[]}
        shop={shop}
        onCancel={vi.fn()}
        onOrderAgain={vi.fn(async () => {})}
        onShare={vi.fn()}
        onSendAgain={vi.fn()}
      />,
    );
    expect(document.querySelector('summary')?.textContent).toContain('1a2b3c4d');
    expect(document.querySelector('.status-pending')?.textContent).toBe('Pending');
  });

  test('can be cancelled while it is pending', () => {
    const onCancel = vi.fn();
    const order = orderOf({});
    showPart(
      <OrderEntry
        order={order}
        refunds={[]}
        shop={shop}
        onCancel={onCancel}
        onOrderAgain={vi.fn(async () => {})}
        onShare={vi.fn()}
        onSendAgain={vi.fn()}
      />,
    );
    fireEvent.click(screen.getByText('Cancel Order'));
    expect(onCancel).toHaveBeenCalledWith(order);
  });

  test('cannot be cancelled once it is shipped', () => {
    const order = orderOf({ status: 'Shipped' });
    showPart(
      <OrderEntry
        order={order}
        refunds={[]}
        shop={shop}
        onCancel={vi.fn()}
        onOrderAgain={vi.fn(async () => {})}
        onShare={vi.fn()}
        onSendAgain={vi.fn()}
      />,
    );
    expect(screen.queryByText('Cancel Order')).toBeNull();
  });

  test('that was a gift is sent again with its recipient, any other is ordered again', () => {
    const gift = { ...emptyGift, recipient: 'Kamala Devi', city: 'Pune' };
    const onSendAgain = vi.fn();
    const order = orderOf({ gift });
    showPart(
      <OrderEntry
        order={order}
        refunds={[]}
        shop={shop}
        onCancel={vi.fn()}
        onOrderAgain={vi.fn(async () => {})}
        onShare={vi.fn()}
        onSendAgain={onSendAgain}
      />,
    );
    expect(screen.queryByText('Order again')).toBeNull();
    fireEvent.click(screen.getByText('Send again'));
    expect(onSendAgain).toHaveBeenCalledWith(order);
  });

  test('asks before it is cancelled', () => {
    const cancel = vi.fn();
    showPart(<CancelDialog order={orderOf({})} cancel={cancel} refresh={vi.fn()} onClose={vi.fn()} />);
    expect(screen.getByRole('alertdialog', { name: 'Are you sure you want to cancel this order?' })).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Keep order' }));
    expect(cancel).not.toHaveBeenCalled();
  });

  test('stays as it is when cancelling fails, and the customer is told', async () => {
    const cancel = vi.fn(async () => Promise.reject(new Error('offline')));
    const onClose = vi.fn();
    showPart(<CancelDialog order={orderOf({})} cancel={cancel} refresh={vi.fn()} onClose={onClose} />);
    fireEvent.click(screen.getByRole('button', { name: 'Yes, cancel order' }));
    expect(await screen.findByText('Something went wrong. Please try again.')).toBeTruthy();
    expect(onClose).not.toHaveBeenCalled();
  });
});
