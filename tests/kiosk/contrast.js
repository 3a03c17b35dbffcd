// What of the page's words and marks stands out too little from its ground (WCAG AA: 4.5 to 1 for words, 3 for marks).
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
    const between = (one, other) => {
        const [a, b] = [light(one), light(other)].sort((x, y) => y - x);
        return (a + 0.05) / (b + 0.05);
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
    for (const element of document.querySelectorAll("main :is(h1, h2, h3, p, small, span, strong, b, li, button, summary, a, dt, dd, th, td, label, legend, output)")) {
        const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
        if (!own || element.closest(".unseen, svg")) continue;
        const ratio = between(bytes(getComputedStyle(element).color), ground(element));
        if (ratio < 4.5) poor.push(`${element.textContent}: ${ratio.toFixed(2)}`);
    }
    // On the board print and marks have a rim of their own, whatever light lies under them.
    const painted = (element, property) => bytes(getComputedStyle(element)[property]);
    for (const text of document.querySelectorAll("#surface :is(.name.mapped, .zone-name, .sum, .sum-name, .piece-name)")) {
        const ratio = between(painted(text, "fill"), painted(text, "stroke"));
        if (ratio < 4.5) poor.push(`${text.textContent} on its rim: ${ratio.toFixed(2)}`);
    }
    for (const target of document.querySelectorAll(".target")) {
        const [bed, line] = [target.querySelector(".target-bed"), target.querySelector(".target-line")];
        const ratio = between(painted(line, "stroke"), painted(bed, "stroke"));
        if (ratio < 3) poor.push(`target ${target.dataset.target}: ${ratio.toFixed(2)}`);
        const [badge, count] = [target.querySelector(".target-badge"), target.querySelector(".target-count")];
        const number = badge ? between(painted(badge, "fill"), painted(count, "fill")) : 21;
        if (number < 4.5) poor.push(`number on ${target.dataset.target}: ${number.toFixed(2)}`);
    }
    return poor;
}
