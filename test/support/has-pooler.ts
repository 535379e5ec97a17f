/** Whether the service of tests is behind a pooler: TEST_POOLER=1. */
export const hasPooler = process.env.TEST_POOLER === '1';
