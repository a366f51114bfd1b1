/**
 * While on: Escape in the widget is the widget's. Keys inside of it are those that the surface hands on; with no focus inside
 * of a modal dialog, they belong to the body.
 */
export const guardKeys = (root: ShadowRoot, onEscape: () => void): { on(): void; off(): void } => {
  const listen = (event: Event): void => {
    const { key, isComposing, type } = event as KeyboardEvent
    if (key !== 'Escape' || isComposing || (event.currentTarget !== root && event.target !== document.body)) return
    event.stopImmediatePropagation()
    event.preventDefault()
    if (type === 'keydown') onEscape()
  }
  const all = (work: (place: EventTarget, type: string) => void): void => {
    for (const place of [window, root]) for (const type of ['keydown', 'keyup']) work(place, type)
  }
  return {
    on: () => all((place, type) => place.addEventListener(type, listen, true)),
    off: () => all((place, type) => place.removeEventListener(type, listen, true)),
  }
}
