import { startShop } from './shop-server.ts'

/** Entry of the shop's server. Environment: FIRSTHAND_DEMO_DSN, _CONSOLE, _PORT, _HOST. */
const { FIRSTHAND_DEMO_DSN, FIRSTHAND_DEMO_CONSOLE, FIRSTHAND_DEMO_PORT, FIRSTHAND_DEMO_HOST } = process.env
const port = Number(FIRSTHAND_DEMO_PORT ?? '9001')

const fail = (message: string): never => {
  process.stderr.write(`demo: ${message}\n`)
  process.exit(1)
}

if (FIRSTHAND_DEMO_DSN === undefined) fail('there is no FIRSTHAND_DEMO_DSN. `npm run demo` sets it.')
else {
  try {
    const shop = await startShop({
      dsn: FIRSTHAND_DEMO_DSN,
      consoleUrl: FIRSTHAND_DEMO_CONSOLE ?? null,
      port,
      host: FIRSTHAND_DEMO_HOST ?? '0.0.0.0',
    })
    // Whoever started this process reads the address here.
    process.stdout.write(`${shop.url}\n`)
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void shop.close())
  } catch (error) {
    fail(
      error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
        ? `port ${port} is taken. Choose another one with FIRSTHAND_DEMO_PORT.`
        : String(error),
    )
  }
}
