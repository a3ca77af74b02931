// SPDX-License-Identifier: MIT
// Pages as they look: small grey pictures of what Chromium shows, beside those in tests/unit/view/pictures. They are so
// coarse that the noise of drawing makes little of a difference, while a part that is not there makes much.
//
// With KANE_WRITE_PICTURES=1 in the environment the references are written anew; look at them then.

#include "unit/view/browser.h"

#include "view/encode.h"

enum { WIDE = 160, HIGH = 90, BLOCK = 10, PAGES = 4 };

#define PICTURES KANE_SOURCE_DIR "/tests/unit/view/pictures"

// Of 255: of all points on the average, and of the worst block of 10 x 10 on its own.
static const double MEAN_MOST = 1.0, BLOCK_MOST = 8.0;

static const char *const pages[PAGES] = {"run", "study", "modes", "car"};

// A page in a frame of 1280 x 720: the browser's window has another size until its picture is taken.
static void take_screenshot(const char *program, const char *name, int milliseconds)
{
    char frame[200], how[80];
    (void)snprintf(frame, sizeof frame,
                   "<body style=\"margin:0\"><iframe src=\"%s.html\" "
                   "style=\"border:0;width:1280px;height:720px;display:block\"></iframe></body>",
                   name);
    (void)snprintf(how, sizeof how, "--screenshot=%s.png", name);
    write_file("frame.html", frame);
    open_page(program, "frame.html", how, milliseconds);
}

static void put_image(FILE *out, const char *name)
{
    static unsigned char png[4000000];
    char file[64];
    (void)snprintf(file, sizeof file, "%s.png", name);
    FILE *in = fopen(file, "rb");
    assert_non_null(in);
    const size_t size = fread(png, 1, sizeof png, in);
    (void)fclose(in);
    assert_true(size > 1000 && size < sizeof png);
    (void)fputs("<img src=\"data:image/png;base64,", out);
    kane_encoder_base64(out, size, png);
    (void)fputs("\">", out);
}

// Draws the screenshots of all pages small and grey, as numbers in the text of a page.
static void make_small(const char *program, unsigned char grey[PAGES][WIDE * HIGH])
{
    static const char draw[] =
        "<script>const images = [...document.querySelectorAll('img')];"
        "addEventListener('load', () => {"
        "const grey = []; for (const image of images) { const c = document.createElement('canvas');"
        "c.width = 160; c.height = 90; const g = c.getContext('2d'); g.imageSmoothingQuality = 'high';"
        "g.drawImage(image, 0, 0, 160, 90); const d = g.getImageData(0, 0, 160, 90).data;"
        "for (let i = 0; i < d.length; i += 4) grey.push(Math.round(0.299 * d[i] + 0.587 * d[i + 1] + 0.114 * d[i + 2])); }"
        "document.body.textContent = 'GREY ' + grey.join(' '); });</script>";
    FILE *out = fopen("small.html", "w");
    assert_non_null(out);
    (void)fputs("<body>", out);
    for (int i = 0; i < PAGES; i++)
        put_image(out, pages[i]);
    (void)fprintf(out, "%s</body>", draw);
    assert_int_equal(fclose(out), 0);
    open_page(program, "small.html", "--dump-dom", 1000);
    const char *at = strstr(content("dom"), "GREY ");
    assert_non_null(at);
    at += strlen("GREY ");
    for (int i = 0; i < PAGES * WIDE * HIGH; i++) {
        char *end;
        grey[i / (WIDE * HIGH)][i % (WIDE * HIGH)] = (unsigned char)strtol(at, &end, 10);
        assert_true(end > at);
        at = end;
    }
}

static void reference_name(const char *name, size_t size, char *file)
{
    (void)snprintf(file, size, "%s/%s.pgm", PICTURES, name);
}

static void write_picture(const char *file, const unsigned char grey[WIDE * HIGH])
{
    FILE *out = fopen(file, "wb");
    assert_non_null(out);
    (void)fprintf(out, "P5\n%d %d\n255\n", (int)WIDE, (int)HIGH);
    assert_int_equal(fwrite(grey, 1, WIDE * HIGH, out), WIDE * HIGH);
    assert_int_equal(fclose(out), 0);
}

static void read_picture(const char *file, unsigned char grey[WIDE * HIGH])
{
    FILE *in = fopen(file, "rb");
    int wide = 0, high = 0;
    if (!in || fscanf(in, "P5 %d %d 255", &wide, &high) != 2 || fgetc(in) != '\n' || wide != WIDE || high != HIGH ||
        fread(grey, 1, WIDE * HIGH, in) != WIDE * HIGH)
        fail_msg("%s is no picture of %d x %d", file, (int)WIDE, (int)HIGH);
    (void)fclose(in);
}

static double mean_of(const unsigned char *a, const unsigned char *b, int x, int y, int wide, int high)
{
    double sum = 0.0;
    for (int i = y; i < y + high; i++)
        for (int k = x; k < x + wide; k++)
            sum += abs(a[i * WIDE + k] - b[i * WIDE + k]);
    return sum / (wide * high);
}

// The least and the greatest that differences come to.
static void compare(const unsigned char *is, const unsigned char *wanted, double *mean, double *worst, int *x, int *y)
{
    *mean  = mean_of(is, wanted, 0, 0, WIDE, HIGH);
    *worst = 0.0;
    for (int i = 0; i < HIGH; i += BLOCK)
        for (int k = 0; k < WIDE; k += BLOCK) {
            const double block = mean_of(is, wanted, k, i, BLOCK, BLOCK);
            if (block > *worst) {
                *worst = block;
                *x     = 8 * k; // of the page's 1280 x 720
                *y     = 8 * i;
            }
        }
}

// A scene that is drawn by timers is not in a screenshot: its last picture takes its place, once it has been drawn and
// does not change any more. Until then the page is black, and a screenshot of it does not count.
static const char still_scene[] =
    "<div id='not-ready' style='position:fixed;inset:0;background:#000;z-index:99999'></div>"
    "<script>let seen = 0, calm = 0; const still_scene = () => { calm = kane.frames === seen && seen > 0 ? calm + 1 : 0;"
    "seen = kane.frames; if (calm < 10) { setTimeout(still_scene, 50); return; }"
    "for (const scene of document.querySelectorAll('#view3d canvas')) {"
    "const still = document.createElement('canvas'); still.width = scene.width; still.height = scene.height;"
    "still.style.cssText = scene.style.cssText; still.getContext('2d').drawImage(scene, 0, 0); scene.replaceWith(still); }"
    "document.getElementById('not-ready').remove(); }; setTimeout(still_scene, 1000);</script>";

// The same files make the same pages: a run at a moment, a map with a case chosen, a mode that stands still, a car that
// slaloms.
static void make_pages(void)
{
    assert_int_equal(CALL("run", RUN, "-q", "-o", "run", "-s", "until.distance=120", "-s", "output.interval=0.02", "-c",
                          "default,imaginary,contact"),
                     0);
    assert_int_equal(CALL("sweep", RUN, "--over", "speed=10,15,20", "--over", "track.rail.friction=0.2,0.3,0.4", "-m",
                          "max(body.y)", "-s", "until.distance=60", "-s", "output.interval=0.05", "--keep", "-q", "-o",
                          "sweep"),
                     0);
    assert_int_equal(CALL("run", KANE_SOURCE_DIR "/data/runs/sedan-slalom.json", "-q", "-o", "car", "-s",
                          "until.time=3", "-c", "default,elements"),
                     0);
    assert_int_equal(CALL("view", "car", "-t", "A car", "-p", "page", "-o", "car.html"), 0);
    assert_int_equal(CALL("view", "run", "-t", "A run", "-p", "page", "-o", "run.html"), 0);
    assert_int_equal(CALL("view", "sweep", "-t", "A study", "-p", "page", "-o", "study.html"), 0);
    assert_int_equal(CALL("modes", KANE_SOURCE_DIR "/data/runs/coach-straight.json", "--view", "modes.html"), 0);
    for (int i = 0; i < PAGES; i++) {
        char file[64];
        (void)snprintf(file, sizeof file, "%s.html", pages[i]);
        append(file, "<style>* { font-family: 'DejaVu Sans' !important; }</style>");
        append(file, still_scene);
    }
    append("run.html", "<script>kane.setMoment(4.6); document.getElementById('contact').click();</script>");
    append("study.html", "<script>kane.study.choose(5, false); kane.setMoment(3);</script>");
    append("car.html", "<script>kane.setMoment(2.1); document.getElementById('more').click();</script>");
    append("modes.html", "<script>kane.play(false); kane.setMoment(0.5);</script>");
}

static int is_black(const unsigned char grey[WIDE * HIGH])
{
    for (int i = 0; i < WIDE * HIGH; i++)
        if (grey[i] > 8)
            return 0;
    return 1;
}

// Pages that were not ready are taken again, with more time.
static void take_pictures(const char *program, unsigned char grey[PAGES][WIDE * HIGH])
{
    int is_ready[PAGES] = {0};
    for (int milliseconds = 3000, left = PAGES; left > 0; milliseconds *= 3) {
        assert_true(milliseconds < 1000000);
        for (int i = 0; i < PAGES; i++)
            if (!is_ready[i])
                take_screenshot(program, pages[i], milliseconds);
        make_small(program, grey);
        left = 0;
        for (int i = 0; i < PAGES; i++) {
            is_ready[i] = !is_black(grey[i]);
            left += !is_ready[i];
        }
    }
}

CHECK_TEST(pages_look_as_they_did)
{
    static unsigned char is[PAGES][WIDE * HIGH], wanted[PAGES][WIDE * HIGH];
    const char *program = browser_or_skip(DRAW_BY_TIMERS);
    int bad             = 0;
    if (system("fc-list 2>/dev/null | grep -q DejaVuSans.ttf") != 0)
        check_skip("the letters of the pictures, DejaVu Sans, are not here (Debian: fonts-dejavu-core, fontconfig)");
    make_pages();
    take_pictures(program, is);
    for (int i = 0; i < PAGES; i++) {
        char file[1024];
        double mean, worst;
        int x = 0, y = 0;
        reference_name(pages[i], sizeof file, file);
        if (getenv("KANE_WRITE_PICTURES"))
            write_picture(file, is[i]);
        read_picture(file, wanted[i]);
        compare(is[i], wanted[i], &mean, &worst, &x, &y);
        print_message("%s: %.2f on the average, %.1f about (%d, %d)\n", pages[i], mean, worst, x, y);
        bad += mean > MEAN_MOST || worst > BLOCK_MOST;
    }
    // what it is to be different: pages against each other
    for (int i = 0; i < PAGES; i++) {
        double mean, worst;
        int x, y;
        compare(wanted[i], wanted[(i + 1) % PAGES], &mean, &worst, &x, &y);
        assert_true(mean > 5.0 * MEAN_MOST && worst > 5.0 * BLOCK_MOST);
    }
    if (bad > 0)
        fail_msg("%d of %d pages look otherwise than %s", bad, (int)PAGES, PICTURES);
}

CHECK_MAIN(enter_folder, leave_folder)
