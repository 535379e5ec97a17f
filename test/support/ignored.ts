/** A listener that does nothing. This module imports none, so objects that outlive a test file may keep it. */
export function ignored(): void {}
