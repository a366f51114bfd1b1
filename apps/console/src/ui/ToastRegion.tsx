import { lazyPart } from './lazy-part.tsx'

const ToastList = lazyPart(() => import('./ToastList.tsx').then((module) => module.ToastList))

/** Where toasts appear. Once, around the application; its code comes after the first paint. */
export function ToastRegion() {
  return <ToastList />
}
