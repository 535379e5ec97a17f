import type { Page } from 'playwright-core';

/**
 * Presses Tab through the whole page. Returns the controls that never had the focus, and those that had it without a visible
 * outline.
 */
export async function keyboardProblems(page: Page): Promise<string[]> {
  const count = await page.evaluate(startWatching);
  // The first press reaches the first control; after the last one the focus leaves the document.
  await pressTab(page, count + MARGIN);
  return page.evaluate(finishWatching);
}

const TAB = { key: 'Tab', code: 'Tab', windowsVirtualKeyCode: 9 };

/** Sends all presses at once; the browser handles them in their order. */
async function pressTab(page: Page, times: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const press = () => [
    session.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...TAB }),
    session.send('Input.dispatchKeyEvent', { type: 'keyUp', ...TAB }),
  ];
  await Promise.all(Array.from({ length: times }, press).flat());
  await session.detach();
}

/** Presses in addition to the number of controls, for scrolling boxes and parts of native controls. */
const MARGIN = 8;

interface Watched extends Window {
  controls: { element: HTMLElement; isReached: boolean; isVisible: boolean }[];
}

/** Runs in the page: records which controls get the focus. Returns how many there are. */
function startWatching(): number {
  const selector = 'a[href], button, input, select, textarea, summary, [tabindex]:not([tabindex="-1"])';
  const isControl = (element: HTMLElement): boolean => {
    if (element.matches(':disabled, [tabindex="-1"], input[type=hidden]') || element.closest('[inert]')) return false;
    if (element.matches('summary') && element.parentElement?.querySelector('summary') !== element) return false;
    if (element instanceof HTMLInputElement && element.type === 'radio' && !isTabStop(element)) return false;
    return element.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true });
  };
  // A group of radio buttons is one stop: the checked button, or any of them.
  const isTabStop = (radio: HTMLInputElement): boolean => {
    const group = [...document.querySelectorAll<HTMLInputElement>('input[type=radio]')].filter(
      ({ name, form }) => name === radio.name && form === radio.form,
    );
    return radio === (group.find(({ checked }) => checked) ?? group[0]);
  };
  // A file field is as good as invisible; its label has the outline.
  const hasOutline = (element: HTMLElement): boolean =>
    [element, element.parentElement, ...((element as HTMLInputElement).labels ?? [])].some((each) => {
      if (each === null) return false;
      const { outlineStyle, outlineWidth } = getComputedStyle(each);
      return outlineStyle !== 'none' && outlineWidth !== '0px';
    });
  const found = [...document.querySelectorAll<HTMLElement>(selector)].filter(isControl);
  const controls = found.map((element) => ({ element, isReached: false, isVisible: false }));
  Object.assign(window, { controls });
  document.addEventListener('focusin', ({ target }) => {
    const control = controls.find(({ element }) => element === target);
    if (control === undefined) return;
    control.isReached = true;
    control.isVisible ||= hasOutline(control.element);
  });
  (document.activeElement as HTMLElement | null)?.blur();
  return controls.length;
}

/** Runs in the page: describes the controls that are wrong. */
function finishWatching(): string[] {
  const describe = ({ outerHTML }: HTMLElement) => outerHTML.replace(/\s+/g, ' ').slice(0, 200);
  const { controls } = window as unknown as Watched;
  return [
    ...controls.filter(({ isReached }) => !isReached).map(({ element }) => `not reached by Tab: ${describe(element)}`),
    ...controls
      .filter(({ isReached, isVisible }) => isReached && !isVisible)
      .map(({ element }) => `no visible focus: ${describe(element)}`),
  ];
}
