// Style sheets that components import: the build puts them into page.css.

declare module '*.css';
