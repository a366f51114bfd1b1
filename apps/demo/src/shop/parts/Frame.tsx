import { ErrorBoundary } from '@firsthand/react'
import { Link, Outlet, useLocation } from '@tanstack/react-router'
import { useEffect, type ReactNode } from 'react'
import { useBasket } from '../lib/basket.ts'
import { feedback } from '../lib/report.ts'
import { applyTheme, nextTheme, themeStore } from '../lib/theme.ts'
import styles from './Frame.module.css'
import { problemFallback } from './Problem.tsx'

const wholePage = problemFallback('This page does not work')

/** Header, page and footer. A page that breaks leaves the rest standing; the next page starts whole. */
export const Frame = (): ReactNode => {
  const { count } = useBasket()
  const theme = themeStore.use()
  const { pathname } = useLocation()
  useEffect(() => {
    applyTheme(theme)
    feedback.setTheme(theme)
  }, [theme])
  return (
    <div className={styles.frame}>
      <header className={styles.header}>
        <Link to="/" className={styles.brand}>
          Kettle <span>&amp;</span> Clay
        </Link>
        <nav aria-label="Main" className={styles.nav}>
          <Link to="/">Shop</Link>
          <Link to="/workbench">Workbench</Link>
          <Link to="/basket" aria-label={`Basket, ${count} ${count === 1 ? 'thing' : 'things'}`}>
            Basket {count > 0 && <span className={styles.count}>{count}</span>}
          </Link>
          <button
            type="button"
            className={styles.theme}
            onClick={() => themeStore.set(nextTheme())}
            aria-label={`Theme: ${theme}`}
            title={`Theme: ${theme}`}
          >
            <svg viewBox="0 0 20 20" aria-hidden="true">
              <circle cx="10" cy="10" r="7" />
              <path d={theme === 'light' ? 'M10 3a7 7 0 0 0 0 14z' : 'M10 3a7 7 0 0 1 0 14z'} />
            </svg>
          </button>
        </nav>
      </header>
      <main className={styles.main}>
        <ErrorBoundary fallback={wholePage} resetKeys={[pathname]}>
          <Outlet />
        </ErrorBoundary>
      </main>
      <footer className={styles.footer}>
        <p>A demo shop. Nothing is sold, and every mistake in it is on purpose.</p>
        <Link to="/workbench">Break something</Link>
      </footer>
    </div>
  )
}
