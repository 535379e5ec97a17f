import { requireServiceOperator } from '../../auth/operator-permissions.ts';
import { config } from '../../config.ts';
import { builder } from '../../graphql/builder.ts';
import { mutation } from '../../graphql/mutation.ts';
import { isReadOnly } from '../../infra/read-only.ts';
import { switchReadOnly } from './switch-read-only.ts';

const ServiceState = builder.objectRef<{ readOnly: boolean }>('ServiceState').implement({
  description: 'The state of the service.',
  fields: (t) => ({
    isReadOnly: t.exposeBoolean('readOnly', {
      description: 'Whether the service is in read-only (maintenance) mode, which refuses all changes.',
    }),
    retryAfter: t.int({
      nullable: true,
      description:
        'Seconds after which a refused change should be repeated; null outside read-only mode, and if unknown.',
      resolve: ({ readOnly }) => (readOnly ? config.RETRY_AFTER : null),
    }),
  }),
});

const currentState = async () => ({ readOnly: await isReadOnly() });

builder.queryField('serviceState', (t) =>
  t.field({ type: ServiceState, description: 'The state of the service.', resolve: currentState }),
);

mutation('setReadOnly', {
  description:
    'Switches read-only (maintenance) mode; every process follows within a second. Requires Admin:Service. The only mutation that read-only mode allows.',
  input: 'The new state.',
  inputFields: (t) => ({
    isReadOnly: t.boolean({ required: true, description: 'Whether the service is in read-only mode from now on.' }),
    reason: t.string({ description: 'Plain text for the audit log.' }),
  }),
  resolve: async ({ isReadOnly: isOn, reason }, { viewer }) => {
    await switchReadOnly(requireServiceOperator(viewer), isOn, (reason ?? '').trim());
    return {};
  },
  payloadFields: (t) => ({
    serviceState: t.field({
      type: ServiceState,
      description: 'The state after the switch. Read-only mode for another cause, such as a full disk, continues.',
      resolve: currentState,
    }),
  }),
});
