import { CSPProvider } from '@base-ui/react/csp-provider'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'

import './shared-player.css'
import './ui/tokens.css'
import './ui/base.css'
import { SharedScreen } from './features/replays/shared/index.ts'
import { watchTheme } from './lib/theme.ts'
import { ToastRegion, TooltipProvider } from './ui/index.ts'

/**
 * The player by itself: the page of a shared replay, and the file that a replay is saved as. One script and one style sheet,
 * as a file has no others to load.
 */

watchTheme()

const root = document.getElementById('root')
if (root === null) throw new Error('The page has no element #root, so the player has nowhere to draw.')

createRoot(root).render(
  <StrictMode>
    {/* Base UI would add <style> elements, which the page's Content-Security-Policy forbids. */}
    <CSPProvider disableStyleElements>
      <TooltipProvider>
        <SharedScreen />
        <ToastRegion />
      </TooltipProvider>
    </CSPProvider>
  </StrictMode>,
)
