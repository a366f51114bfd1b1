import { lazy, Suspense } from 'react'

const ToastList = lazy(() => import('./ToastList.tsx').then((module) => ({ default: module.ToastList })))

/** Where toasts appear. Once, around the application; its code comes after the first paint. */
export function ToastRegion() {
  return (
    <Suspense>
      <ToastList />
    </Suspense>
  )
}
