/** What our other packages are made of as well. No promise to anybody else: it changes with us. */
export { describeElement } from './breadcrumbs/element.ts'
export { matches } from './filter.ts'
export { guard, hex, isObject, isThenable, now, text, warn } from './guard.ts'
export { watchHref } from './href.ts'
export { normalise } from './normalise.ts'
export { wrap } from './wrap.ts'
