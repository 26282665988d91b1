// The theme without its font. The site uses the font of the system, so that the browser loads no font.
import './pages.css';

export { default } from 'vitepress/theme-without-fonts';
