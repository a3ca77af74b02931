// SPDX-License-Identifier: MIT
// Result files as other programs see them: dimensions and attributes of HDF5 in h5py and xarray, tables of CSV in
// pandas. Where Python lacks these, the tests are skipped. Values are the same bits.

#include "folder.h"
#include "files.h"

static const kane_column columns[] = {
    {"time", "s", "time"}, {"car [1].y", "m", "lateral shift"}, {"ratio", "1", ""}, {"# of \"a, b\"", "", "none"}};

enum { COLUMNS = 4, ROWS = 300 };

// Row i: i, 0.1 i, i/3, 1e300/(i + 1), each a double that has no short decimal form.
static void write_results(const char *name, kane_file_format format)
{
    static kane_errors errors;
    kane_recorder *recorder = CHECK_GOOD(kane_recorder_create, files_path(name), format, COLUMNS, columns, "{}");
    for (int i = 0; i < ROWS; i++) {
        const double row[COLUMNS] = {i, 0.1 * i, i / 3.0, i == 7 ? (double)NAN : 1e300 / (i + 1)};
        assert_int_equal(kane_recorder_add(recorder, row, &errors), KANE_OK);
    }
    assert_int_equal(kane_recorder_close(recorder, NULL, &errors), KANE_OK);
    check_no_errors(&errors);
}

// Python with modules, behind the values that rows have; skips the test where a module is missing.
static void run_python(const char *modules, const char *package, const char *script)
{
    const char *python = command_python_needed(modules, package);
    static const char expected[] =
        "import math, sys\n"
        "NAMES = ['time', 'car [1].y', 'ratio', '# of \"a, b\"']\n"
        "ROWS = [[float(i), 0.1 * i, i / 3.0, math.nan if i == 7 else 1e300 / (i + 1)] for i in range(300)]\n"
        "def same(values, k):\n"
        "    assert [float(x).hex() for x in values] == [row[k].hex() for row in ROWS], NAMES[k]\n";
    FILE *file = fopen(files_path("look.py"), "w");
    assert_non_null(file);
    (void)fprintf(file, "%s%s", expected, script);
    assert_int_equal(fclose(file), 0);
    if (!command_works("cd %s && %s look.py >log 2>&1", files_directory, python))
        fail_msg("%s", content(files_path("log")));
}

static void need_hdf5(void)
{
    if (!kane_results_have_hdf5())
        check_skip("this libkane was built without HDF5");
}

files_test(h5py_sees_scales_and_texts)
{
    need_hdf5();
    write_results("a.h5", KANE_HDF5);
    run_python("h5py", "python3-h5py",
               "import h5py\n"
               "with h5py.File('a.h5') as f:\n"
               "    assert h5py.h5ds.is_scale(f['time'].id) and len(f['time'].dims[0]) == 0\n"
               "    for k, name in enumerate(NAMES):\n"
               "        same(f[name][:], k)\n"
               "        if k > 0:\n"
               "            assert f[name].dims[0].keys() == ['time'] and f[name].dims[0][0] == f['time']\n"
               "    a = f['car [1].y'].attrs\n"
               "    assert type(a['units']) is str and a['units'] == 'm', a['units']\n"
               "    assert type(a['long_name']) is str and a['long_name'] == 'lateral shift'\n"
               "    assert f['ratio'].attrs['units'] == '1' and 'long_name' not in f['ratio'].attrs\n"
               "    assert 'units' not in f[NAMES[3]].attrs\n"
               "    assert len(f['time'].attrs['REFERENCE_LIST']) == 3\n");
}

files_test(xarray_sees_time_as_dimension)
{
    need_hdf5();
    write_results("a.h5", KANE_HDF5);
    run_python("xarray, h5netcdf", "python3-xarray python3-h5netcdf",
               "import xarray\n"
               "d = xarray.open_dataset('a.h5', engine='h5netcdf')\n"
               "assert dict(d.sizes) == {'time': 300}, d.sizes\n"
               "assert list(d.coords) == ['time'] and sorted(d.data_vars) == sorted(NAMES[1:])\n"
               "for k, name in enumerate(NAMES):\n"
               "    assert d[name].dims == ('time',)\n"
               "    same(d[name].values, k)\n"
               "assert d['car [1].y'].attrs['units'] == 'm' and d['car [1].y'].sel(time=3).item() == 0.1 * 3\n");
}

// A file that is closed twice, as repair does where a kill came between, has each once.
files_test(what_is_packed_again_has_them_once)
{
    static const char manifest[] = "{\"key\": \"0123456789abcdef\", \"state\": \"running\"}\n";
    static kane_errors errors;
    kane_repair done;
    need_hdf5();
    files_write(files_path("manifest.json"), manifest, strlen(manifest));
    files_write(files_path("status.json"), manifest, strlen(manifest));
    kane_recorder *recorder =
        CHECK_GOOD(kane_recorder_create, files_path("results.h5"), KANE_HDF5, COLUMNS, columns, manifest);
    for (int i = 0; i < ROWS; i++) {
        const double row[COLUMNS] = {i, 0.1 * i, i / 3.0, i == 7 ? (double)NAN : 1e300 / (i + 1)};
        assert_int_equal(kane_recorder_add(recorder, row, &errors), KANE_OK);
    }
    assert_int_equal(kane_recorder_close(recorder, NULL, &errors), KANE_OK);
    assert_int_equal(kane_results_repair(files_directory, &done, &errors), KANE_OK);
    check_no_errors(&errors);
    assert_true(done.is_changed && done.rows == ROWS);
    run_python("h5py", "python3-h5py",
               "import h5py\n"
               "with h5py.File('results.h5') as f:\n"
               "    for k, name in enumerate(NAMES):\n"
               "        same(f[name][:], k)\n"
               "    assert f['ratio'].dims[0][0] == f['time'] and len(f['time'].attrs['REFERENCE_LIST']) == 3\n"
               "    assert f['ratio'].attrs['units'] == '1'\n");
}

files_test(pandas_reads_a_table)
{
    write_results("a.csv", KANE_CSV);
    run_python("pandas", "python3-pandas",
               "import pandas\n"
               "t = pandas.read_csv('a.csv', comment='#', float_precision='round_trip')\n"
               "assert list(t.columns) == NAMES and t.shape == (300, 4), t\n"
               "assert all(kind == 'float64' for kind in t.dtypes[1:]), t.dtypes\n"
               "for k, name in enumerate(NAMES):\n"
               "    same(t[name], k)\n");
}

CHECK_MAIN(NULL, NULL)
