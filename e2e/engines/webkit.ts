import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { Builder, error as failures, type WebDriver, type WebElement } from 'selenium-webdriver'
import { inject } from 'vitest'
import { engineProgram } from '../../tools/engines.mjs'
import { until } from '../lib/until.ts'
import { type Engine, pageOf } from './engine.ts'
import { endGroup, isRunning, startGroup } from './processes.ts'

const PATIENCE_MS = 60_000
/** Between asking for a free port and using it, somebody else may take it. */
const ATTEMPTS = 3

/** A screen that nobody sees, under a number that is free. */
const openDisplay = async (): Promise<{ readonly name: string; readonly process: ChildProcess }> => {
  const args = ['-displayfd', '3', '-screen', '0', '1440x900x24', '-nolisten', 'tcp']
  const child = startGroup(engineProgram('xvfb'), args, process.env)
  let said = ''
  child.stdio[3]?.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const name = await until('a display of Xvfb', () => {
    if (!isRunning(child)) throw new Error(`Xvfb ended with code ${child.exitCode}`)
    return Promise.resolve(said.endsWith('\n') ? `:${said.trim()}` : null)
  })
  return { name, process: child }
}

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('no free port')
  return address.port
}

/** Null when its port was taken in between. */
const startDriver = async (environment: NodeJS.ProcessEnv): Promise<{ url: string; process: ChildProcess } | null> => {
  const url = `http://127.0.0.1:${await freePort()}`
  const child = startGroup(engineProgram('webkit'), [`--port=${new URL(url).port}`], environment)
  const isReady = await until('WebKitWebDriver to answer', async () => {
    if (!isRunning(child)) return false
    const answer = await fetch(`${url}/status`).catch(() => null)
    return answer?.ok === true ? true : null
  })
  return isReady ? { url, process: child } : null
}

const settle = async (environment: NodeJS.ProcessEnv): Promise<{ url: string; process: ChildProcess }> => {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const started = await startDriver(environment)
    if (started !== null) return started
  }
  throw new Error(`WebKitWebDriver ended ${ATTEMPTS} times before it answered`)
}

/** Folders of its own, and no animations. */
const environmentOf = (display: string): NodeJS.ProcessEnv => {
  const home = mkdtempSync(join(inject('sharedFolder'), 'webkit-'))
  mkdirSync(join(home, 'gtk-3.0'))
  writeFileSync(join(home, 'gtk-3.0', 'settings.ini'), '[Settings]\ngtk-enable-animations=false\n')
  return {
    ...process.env,
    DISPLAY: display,
    HOME: home,
    XDG_CACHE_HOME: home,
    XDG_CONFIG_HOME: home,
    XDG_DATA_HOME: home,
    XDG_RUNTIME_DIR: home,
    // No session bus and no graphics card are needed, so neither is looked for.
    NO_AT_BRIDGE: '1',
    WEBKIT_DISABLE_DMABUF_RENDERER: '1',
  }
}

const open = async (url: string): Promise<WebDriver> => {
  const driver = await new Builder()
    .disableEnvironmentOverrides()
    .usingServer(url)
    .withCapabilities({ browserName: 'MiniBrowser' })
    .build()
  await driver.manage().setTimeouts({ pageLoad: PATIENCE_MS, script: PATIENCE_MS, implicit: 0 })
  await driver.manage().window().setRect({ x: 0, y: 0, width: 1440, height: 900 })
  return driver
}

/** WebKit's MiniBrowser on a screen that nobody sees, driven by WebDriver. */
export const openWebKit = async (): Promise<Engine> => {
  const display = await openDisplay()
  const processes = [display.process]
  const end = async (): Promise<void> => {
    for (const child of processes.toReversed()) await endGroup(child)
  }
  try {
    const service = await settle(environmentOf(display.name))
    processes.push(service.process)
    const driver = await open(service.url)
    return {
      page: pageOf<WebElement>({
        open: (url) => driver.get(url),
        find: (expression) => driver.executeScript(`return ${expression}`),
        click: (handle) => handle.click(),
        press: (keys) => driver.actions().sendKeys(keys).perform(),
        evaluate: (expression) => driver.executeScript(`return ${expression}`),
        isMissed: (thrown) =>
          thrown instanceof failures.StaleElementReferenceError ||
          thrown instanceof failures.ElementClickInterceptedError ||
          thrown instanceof failures.ElementNotInteractableError,
      }),
      complaints: null,
      end,
    }
  } catch (thrown) {
    await end()
    throw thrown
  }
}
