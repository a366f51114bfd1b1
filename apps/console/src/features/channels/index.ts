export { ChannelsSettings } from './components/ChannelsSettings.tsx'
export { ChannelScreen } from './components/ChannelScreen.tsx'
