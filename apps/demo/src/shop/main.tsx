import { traceTanstackRouter } from '@firsthand/browser/tanstack-router'
import { reactErrorHandler, tanstackRouterBreadcrumbs } from '@firsthand/react'
import { RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import '../base.css'
import { startReporting } from './lib/report.ts'
import { applyTheme, themeStore } from './lib/theme.ts'
import { router } from './router.tsx'

// Before anything is rendered: the first rendering may already break.
startReporting()
applyTheme(themeStore.get())
tanstackRouterBreadcrumbs(router)
traceTanstackRouter(router)

const root = document.querySelector('#root')
if (root === null) throw new Error('The page has no #root')
createRoot(root, { onUncaughtError: reactErrorHandler(), onRecoverableError: reactErrorHandler() }).render(
  <RouterProvider router={router} />,
)
