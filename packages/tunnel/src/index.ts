export { createTunnel, type Tunnel, type TunnelOptions, type Visitor } from './tunnel.ts'
