// The theme without its font: texts are in that of the reader's system, so that nothing has to be loaded for it.
import './pages.css';

export { default } from 'vitepress/theme-without-fonts';
