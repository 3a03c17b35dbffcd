// What of the page's words stands out too little from its ground (WCAG AA: 4.5 to 1).
() => {
    // A canvas turns any colour the browser knows into four bytes.
    const context = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
    const bytes = (colour) => {
        context.clearRect(0, 0, 1, 1);
        context.fillStyle = colour;
        context.fillRect(0, 0, 1, 1);
        return [...context.getImageData(0, 0, 1, 1).data];
    };
    const light = ([r, g, b]) => {
        const linear = (c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
        const [x, y, z] = [r, g, b].map((byte) => linear(byte / 255));
        return 0.2126 * x + 0.7152 * y + 0.0722 * z;
    };
    const ground = (element) => {
        for (let at = element; at; at = at.parentElement) {
            const colour = bytes(getComputedStyle(at).backgroundColor);
            if (colour[3] === 255) return colour;
            if (getComputedStyle(at).backgroundImage.includes("rgb(251, 246, 234)")) return [233, 223, 201];
        }
        return [255, 0, 255];
    };
    const poor = [];
    for (const element of document.querySelectorAll("#table :is(h1, h2, h3, p, small, span, strong, b, li, button)")) {
        const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
        if (!own || element.closest(".unseen, svg")) continue;
        const [a, b] = [light(bytes(getComputedStyle(element).color)), light(ground(element))].sort((x, y) => y - x);
        const ratio = (a + 0.05) / (b + 0.05);
        if (ratio < 4.5) poor.push(`${element.textContent}: ${ratio.toFixed(2)}`);
    }
    return poor;
}
